_quaid() {
    local IFS=$'\n' words=("${COMP_WORDS[@]:1:COMP_CWORD}")
    [[ ${COMP_WORDS[0]##*/} == ai-kb ]] && words=(kb "${words[@]}")
    COMPREPLY=($(quaid complete -- "${words[@]}" 2>/dev/null))
    [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace
    return 0
}
complete -o default -F _quaid quaid ai-kb
