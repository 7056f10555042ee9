import os, sqlite3, sys
from typing import TypedDict
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph

class State(TypedDict):
    paid: int

def pay(state):
    with open("paid", "a") as ledger:  # the effect: money moves
        ledger.write("19.99\n")
    if len(open("paid").readlines()) == 1:
        os._exit(137)  # the process is killed before the step ends
    return {"paid": 1}

graph = StateGraph(State)
graph.add_node("pay", pay)
graph.add_edge(START, "pay")
graph.add_edge("pay", END)
app = graph.compile(checkpointer=SqliteSaver(sqlite3.connect("run.db", check_same_thread=False)))
config = {"configurable": {"thread_id": "1"}}
app.invoke(None if os.path.exists("paid") else {"paid": 0}, config, durability="sync")
print("paid", len(open("paid").readlines()), "times")
