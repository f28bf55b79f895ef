/** What aider printed after a reply. */
export interface Printed {
  /** The files that were changed as the reply says. */
  applied: string[]
  /** Whether its edits were not taken. */
  refused: boolean
  /** What is worth keeping beside that. */
  rest: string[]
  /** How many lines are of no use to a model: costs, hints. */
  notices: number
}

export function readPrinted(lines: readonly string[]): Printed {
  const applied: string[] = []
  const rest: string[] = []
  let refused = false
  let notices = 0
  for (const line of lines) {
    const [, path] = /^Applied edit to (.+)$/.exec(line) ?? []
    if (path !== undefined) applied.push(path)
    else if (notice.test(line)) notices++
    else if (line.trim() !== '' || (rest.at(-1) ?? '') !== '') rest.push(line)
    refused ||= refusal.test(line)
  }
  if (rest.at(-1)?.trim() === '') rest.pop()
  return { applied, refused, rest, notices }
}

const refusal =
  /^(?:The LLM did not conform to the edit format|Skipping edits to |Did not apply edit to |# \d{1,6} SEARCH\/REPLACE blocks? failed)/

const notice =
  /^(?:Tokens: |Cost: |Use \/help |You can use \/undo |https:\/\/aider\.chat\/|Aider v\d|(?:Main |Weak |Editor )?[Mm]odels?: |Git repo: |Repo-map: |Restored previous conversation history)/

/** What aider says of itself when it starts. */
export interface Announced {
  model: string | undefined
  directory: string | undefined
  /** Whether the model was given again what the file held before. */
  restored: boolean
  /** The files that its model is shown. */
  added: string[]
}

export function readAnnounced(lines: readonly string[]): Announced {
  const first = (pattern: RegExp): string | undefined => {
    for (const line of lines) {
      const [, found] = pattern.exec(line) ?? []
      if (found !== undefined) return found
    }
    return undefined
  }
  return {
    model: first(/^(?:Main model|Models?): (\S+) with /),
    directory: first(/^Cur working dir: (.+)$/),
    restored: lines.includes('Restored previous conversation history.'),
    added: lines.filter((line) => /^Added .+ to the chat/.test(line)),
  }
}
