#compdef quaid ai-kb
_quaid() {
    local -a found before
    [[ ${words[1]:t} == ai-kb ]] && before=(kb)
    found=("${(@f)$(quaid complete -- $before "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "${found[1]}" ]]; then compadd -Q -- "${found[@]}"; else _files; fi
}
compdef _quaid quaid ai-kb
