# bash completion for crisis

_crisis_completion() {
    local kind value help breaks=$COMP_WORDBREAKS
    COMPREPLY=()
    # In quotes bash breaks no word, and takes it as it stands.
    [[ ${COMP_WORDS[COMP_CWORD]} == [\'\"]* ]] && breaks=
    while IFS=$'\t' read -r kind value help; do
        case $kind in
            plain | nospace)
                [[ $kind == nospace ]] && compopt -o nospace 2>/dev/null
                [[ $breaks ]] && printf -v value %q "$value"
                COMPREPLY+=("$value")
                ;;
            file | dir)
                compopt -o filenames 2>/dev/null
                while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen "-${kind:0:1}" -- "$2")
                ;;
        esac
    done < <(
        _CRISIS_COMPLETE=bash_complete _CRISIS_LINE=${COMP_LINE:0:COMP_POINT} _CRISIS_BREAKS=$breaks \
            "$1" 2>/dev/null </dev/null
    )
}

# The order is part of the answer; bash before 4.4 cannot keep it.
complete -o nosort -F _crisis_completion crisis 2>/dev/null || complete -F _crisis_completion crisis
