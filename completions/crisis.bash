# bash-completion loads this file at the first Tab behind crisis.
eval "$(crisis completion bash)"
