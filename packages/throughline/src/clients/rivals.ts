/** Another program that changes what the model of a client sees: two of them undo each other's work. */
interface Rival {
  name: string
  /** How its name stands in a client's settings, in quotes, or in the name of a file that it loads. */
  known: RegExp
}

export const rivals: readonly Rival[] = [
  { name: 'DCP', known: /opencode-(?:dcp|dynamic-context-pruning)(?![\w-])/i },
  { name: 'ACP', known: /(?:opencode-acp|acp-kernel)(?![\w-])/i },
  { name: 'magic-context', known: /magic-context(?![\w-])/i },
  { name: 'billion-context', known: /billion-context|[\\/"]bili[\\/"]|127\.0\.0\.1:\d+\/bili/i },
  {
    name: 'Headroom',
    known:
      /headroom-(?:ai|opencode)|headroom_(?:retrieve|proxy)|"headroom"|\[mcp_servers\.headroom\]/i,
  },
  { name: 'Morph compact', known: /morph-(?:claude-code-plugin|compact|plugin)|morphllm/i },
  { name: 'Sleev', known: /(?:127\.0\.0\.1|localhost):17321|[\\/"-]sleev[\\/."]/i },
]

/** The name of a rival among the plugins that a client loads; `undefined` if there is none. */
export function rivalAmong(loaded: readonly string[]): string | undefined {
  const names = loaded.map((plugin) => `"${plugin.replace(version, '')}"`)
  return rivals.find(({ known }) => names.some((name) => known.test(name)))?.name
}

// `plugin@1.2.3`, but not the scope of `@owner/plugin`.
const version = /(?<=.)@[^/@]*$/
