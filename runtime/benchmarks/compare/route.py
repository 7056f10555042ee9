from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def compiled(*targets):
    graph = StateGraph(State)
    for name in ["draft", "critique", "refine"]:
        graph.add_node(name, lambda state, name=name: {"text": name})
    graph.add_edge(START, "draft")
    graph.add_conditional_edges("draft", lambda state: "critque", *targets)  # there is no critque
    graph.add_edge("critique", "refine")
    graph.add_edge("refine", END)
    return graph.compile()


print("its targets are not listed:", compiled().invoke({"text": ""}))
try:
    compiled({"critque": "critque", "done": END})
except ValueError as error:
    print("its targets are listed:", error)
