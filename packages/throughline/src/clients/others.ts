/** Plugins that rewrite the context, too: two of them undo each other's work. */
const others: readonly { name: string; pattern: RegExp }[] = [
  { name: 'DCP', pattern: /opencode-dcp|opencode-dynamic-context-pruning/i },
  { name: 'ACP', pattern: /opencode-acp|acp-kernel/i },
  { name: 'magic-context', pattern: /magic-context/i },
  { name: 'billion-context', pattern: /billion-context|(?:^|[/@])bili(?:$|[/@])/i },
  { name: 'Headroom', pattern: /headroom/i },
  { name: 'Morph', pattern: /morph-(?:claude-code|compact|opencode|plugin)|morphllm/i },
  { name: 'Sleev', pattern: /sleev/i },
]

/** The name of another plugin of this kind among those that a client loads; `undefined` if none. */
export function otherContextPlugin(loaded: readonly string[]): string | undefined {
  return others.find(({ pattern }) => loaded.some((plugin) => pattern.test(plugin)))?.name
}
