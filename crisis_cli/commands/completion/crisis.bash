# bash completion for crisis

_crisis_completion() {
    local answer kind value
    COMPREPLY=()
    while IFS= read -r answer; do
        kind=${answer%% *}
        value=${answer#* }
        case $kind in
            plain)
                COMPREPLY+=("$value")
                ;;
            open)
                COMPREPLY+=("$value")
                compopt -o nospace 2>/dev/null
                ;;
            file)
                compopt -o filenames 2>/dev/null
                while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$2")
                ;;
            dir)
                compopt -o filenames 2>/dev/null
                while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -d -- "$2")
                ;;
        esac
    done < <(
        _CRISIS_COMPLETE=bash_complete _CRISIS_LINE=${COMP_LINE:0:COMP_POINT} \
            _CRISIS_BREAKS=$COMP_WORDBREAKS "$1" 2>/dev/null </dev/null
    )
}

# The order is part of the answer; bash before 4.4 cannot keep it.
complete -o nosort -F _crisis_completion crisis 2>/dev/null || complete -F _crisis_completion crisis
