function __quaid_complete
    set -l found (quaid complete -- $argv (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c quaid -f -a '(__quaid_complete)'
complete -c ai-kb -f -a '(__quaid_complete kb)'
