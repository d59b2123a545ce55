# fish completion for crisis

function __crisis_completion
    set --local line (commandline --cut-at-cursor --current-process | string collect)
    set --local command (commandline --tokenize --current-process)[1]
    for answer in (_CRISIS_COMPLETE=fish_complete _CRISIS_LINE=$line $command 2>/dev/null </dev/null)
        set --local part (string split \t -- $answer)
        switch $part[1]
            case plain nospace
                printf '%s\t%s\n' $part[2] $part[3]
            case file
                __fish_complete_path (commandline --cut-at-cursor --current-token)
            case dir
                __fish_complete_directories (commandline --cut-at-cursor --current-token)
        end
    end
end

complete --command crisis --no-files --keep-order --arguments '(__crisis_completion)'
