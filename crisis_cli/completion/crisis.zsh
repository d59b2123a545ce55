#compdef crisis
# zsh completion for crisis

_crisis() {
    local answer
    local -a part plain nospace
    for answer in "${(@f)$(_CRISIS_COMPLETE=zsh_complete \
        _CRISIS_LINE="${(j: :)words[1,CURRENT-1]} ${QIPREFIX}${PREFIX}" \
        "${(Q)words[1]}" 2>/dev/null </dev/null)}"; do
        part=("${(@ps:\t:)answer}")
        case $part[1] in
            plain) plain+=("${part[2]//:/\\:}${part[3]:+:$part[3]}") ;;
            nospace) nospace+=("${part[2]//:/\\:}${part[3]:+:$part[3]}") ;;
            file) _files ;;
            dir) _files -/ ;;
        esac
    done
    (( $#plain )) && _describe -V -t words crisis plain
    (( $#nospace )) && _describe -V -t words crisis nospace -S ''
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    # zsh found this file by itself and wants an answer at once.
    _crisis "$@"
else
    compdef _crisis crisis
fi
