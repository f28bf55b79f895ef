const commands = new Set<unknown>(['view', 'create', 'str_replace', 'insert', 'delete', 'rename'])

/**
 * What a call of Anthropic's memory tool does; `undefined` for any other call. Its files are the
 * agent's own notes: it knows them by their paths and views them again.
 */
export function memoryCommand(tool: string, input: unknown): string | undefined {
  if (!/(?:^|__)memory$/i.test(tool.slice(0, 200))) return undefined
  const command =
    typeof input === 'object' && input !== null ? Reflect.get(input, 'command') : undefined
  return commands.has(command) ? String(command) : undefined
}
