/** What each shell runs to complete the command; `suggest` answers it. */
export const scripts = {
  bash: `# bash completion for throughline. To use it: eval "$(throughline completions bash)"
_throughline() {
  local IFS=$' \\t\\n' line="\${COMP_LINE:0:COMP_POINT}" current prefix
  local -a words
  read -r -a words <<< "$line"
  [[ "$line" == *' ' ]] && words+=('')
  current="\${words[\${#words[@]}-1]}"
  IFS=$'\\n'
  COMPREPLY=($(throughline completions suggest -- "\${words[@]:1}" 2>/dev/null | cut -f1))
  # The shell divides words at colons.
  if [[ "$current" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then
    prefix="\${current%"\${current##*:}"}"
    COMPREPLY=("\${COMPREPLY[@]#"$prefix"}")
  fi
}
complete -o default -o bashdefault -F _throughline throughline
`,
  zsh: `#compdef throughline
# zsh completion for throughline. To use it: eval "$(throughline completions zsh)"
_throughline() {
  local line
  local -a values
  for line in "\${(@f)$(throughline completions suggest -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n "$line" ]] && values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( $#values )) && _describe -t throughline throughline values || _files
}
if [[ "\${funcstack[1]}" == _throughline ]]; then
  # It was found in a folder of completions, and is asked for the first time.
  _throughline "$@"
elif (( $+functions[compdef] )); then
  compdef _throughline throughline
fi
`,
  fish: `# fish completion for throughline. To use it: throughline completions fish | source
function __throughline_suggest
  set -l words (commandline -opc) (commandline -ct)
  set -l found (throughline completions suggest -- $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c throughline -f -a '(__throughline_suggest)'
`,
} as const
