import type { EntryDraft } from 'throughline'

const words =
  'parse header token value render context session window export const function return import type'.split(
    ' ',
  )

/**
 * A coding agent's session: a human message every 100 entries, otherwise steps with one call. Every
 * text is unique, so that nothing is counted from a cache.
 */
export function codingSession(entries: number, tokensPerEntry: number): EntryDraft[] {
  const drafts: EntryDraft[] = []
  for (let step = 0; drafts.length < entries; step++) {
    if (step % 50 === 0) {
      drafts.push({
        kind: 'message',
        at: step,
        origin: 'human',
        message: {
          role: 'user',
          content: `Request ${step}: please rework src/module${step}/index.ts.`,
        },
      })
    }
    const path = `src/module${step % 400}/file${step % 37}.ts`
    const toolCallId = `call_${step}`
    drafts.push(
      {
        kind: 'message',
        at: step,
        origin: 'model',
        finish: 'tool-calls',
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text: `I look at ${path} next.` },
            { type: 'tool-call', toolCallId, toolName: 'Read', input: { file_path: path } },
          ],
        },
      },
      {
        kind: 'message',
        at: step,
        origin: 'tool',
        message: {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId,
              toolName: 'Read',
              output: { type: 'text', value: source(step, tokensPerEntry * 2) },
            },
          ],
        },
      },
    )
  }
  return drafts.slice(0, entries)
}

/** About `tokens` tokens of something like source code. */
function source(seed: number, tokens: number): string {
  const lines: string[] = []
  for (let line = 0; line * 24 < tokens; line++) {
    const at = seed * 31 + line * 7
    const [a, b, c] = [words[at % 13], words[(at + 3) % 14], words[(at + 5) % 11]]
    lines.push(
      `  ${a} ${b}${(seed + line) % 97} = ${c}Value(${b}.item_${line % 50}, ${at % 1000}); // ${a} ${c}`,
    )
  }
  return lines.join('\n')
}
