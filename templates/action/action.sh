#!/usr/bin/env bash
# The steps of action.yml. All texts come from variables, and none of them is ever a part of a command: each is one quoted argument.
# usage: action.sh build|check|report
set -euo pipefail
cd -- "$GITHUB_WORKSPACE"
agentc=$RUNNER_TEMP/agentc$(go env GOEXE)
marker='<!-- agentc diff -->'

# build makes the agentc that the module of the project requires, in go.mod or in tools.mod beside it, else the one of which this action is
# a part: check, diff and cost need no more of the project than its sources.
build() {
  local command=github.com/agentc-dev/agentc/cmd/agentc flags=() tools
  if is_required; then
    if tools=$(tools_file); then flags=(-modfile "$tools"); fi
    if ! (cd -- "$DIRECTORY" && go build ${flags[@]+"${flags[@]}"} -o "$agentc" "$command"); then
      echo "::error::the agentc that the module requires was not built: go get -tool $command adds all that it needs"
      exit 1
    fi
    return
  fi
  echo "::notice::the module of the project requires no agentc that is on this machine: that of the action is used"
  if ! (cd -- "$GITHUB_ACTION_PATH/../.." && go build -o "$agentc" ./cmd/agentc); then
    echo "::error::agentc was not built from $GITHUB_ACTION_PATH"
    exit 1
  fi
}

# is_required finds out whether the module of the project requires agentc: a version, or a folder that is there.
is_required() {
  local format='{{if .Replace}}{{if not .Replace.Version}}{{.Replace.Path}}{{end}}{{end}}' folder
  folder=$(cd -- "$DIRECTORY" && go list -m -f "$format" github.com/agentc-dev/agentc 2>/dev/null) || return 1
  [ -z "$folder" ] || (cd -- "$DIRECTORY" && cd -- "$(dirname -- "$(go env GOMOD)")" && [ -d "$folder" ])
}

# tools_file prints the path of a tools.mod that has agentc as a tool, if there is one.
tools_file() {
  local file
  file=$(cd -- "$DIRECTORY" && dirname -- "$(go env GOMOD)")/tools.mod
  grep -q 'github.com/agentc-dev/agentc/cmd/agentc' "$file" 2>/dev/null && printf '%s\n' "$file"
}

check() {
  local strict=()
  if [ "$STRICT" = true ]; then strict=(--strict); fi
  "$agentc" check --format github ${strict[@]+"${strict[@]}"} -- "$DIRECTORY"
}

report() {
  local model=() report=$RUNNER_TEMP/agentc-report.md worse=
  if [ -n "$MODEL" ]; then model=(--model "$MODEL"); fi
  if [ -n "$BASE" ] && fetch; then
    worse=false
    if ! "$agentc" diff --format markdown ${model[@]+"${model[@]}"} -- "$BASE:$DIRECTORY" "$DIRECTORY" >"$report"; then worse=true; fi
  fi
  if [ -z "$worse" ] || ! [ -s "$report" ]; then # such as a project that is new, or has errors
    worse=
    printf '%s\n### agentc: there is no older version to compare with, or the project has errors\n' "$marker" >"$report"
  fi
  {
    printf '\n<details><summary>cost of a run</summary>\n\n'
    "$agentc" cost --format markdown ${model[@]+"${model[@]}"} -- "$DIRECTORY" || true # check reports what is wrong
    printf '\n</details>\n'
  } >>"$report"

  cat -- "$report" >>"$GITHUB_STEP_SUMMARY"
  printf 'worse=%s\n' "$worse" >>"$GITHUB_OUTPUT"
  if [ -n "$NUMBER" ]; then comment "$report" || echo "::warning::the pull request was not commented: the report is in the summary of the job"; fi
  if [ "$worse" = true ] && [ "$FAIL" = true ]; then
    echo "::error::something became worse: see the comment, or the summary of the job"
    exit 1
  fi
}

# fetch gets the commit to compare with, unless it is there.
fetch() {
  case $BASE in
  -* | *:*) echo "::error::base is no commit" && exit 1 ;;
  esac
  git cat-file -e "$BASE^{commit}" 2>/dev/null || git fetch --quiet --no-tags --depth=1 origin "$BASE" ||
    { echo "::warning::the commit to compare with was not found" && return 1; }
}

# comment writes the report as a comment, or over the one that an earlier run of the action has written.
comment() {
  local report=$1 id
  if [ "$(wc -c <"$report")" -gt 65000 ]; then # a comment has at most 65,536 characters
    printf '%s\n### agentc: the report is too long for a comment\n\nIt is in the summary of the job.\n' "$marker" >"$report"
  fi
  id=$(gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments" --jq \
    '.[] | select(.user.login == "github-actions[bot]" and (.body | startswith("<!-- agentc diff -->"))) | .id') || return 1
  id=${id%%$'\n'*}
  if [ -n "$id" ]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$report"
  else
    gh api --silent --method POST "repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments" -F "body=@$report"
  fi
}

case $1 in
build | check | report) "$1" ;;
*) echo "usage: action.sh build|check|report" >&2 && exit 2 ;;
esac
