/** The content of a generated session. */
export interface SessionShape {
  turns?: number
  /** Steps per turn. */
  steps?: number
  /** Lines per tool output. */
  lines?: number
  model?: string
  /** Added to everything that a session's text can come from. */
  text?: string
  /** The human's messages, instead of the usual ones, turn by turn. */
  says?: readonly string[]
}

/** A session as Claude Code writes it: each turn reads and edits files and ends with text. */
export function claudeSession(shape: SessionShape = {}): string {
  return claudeRecords(shape)
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}

function claudeRecords({
  turns = 3,
  steps = 4,
  lines = 40,
  model = 'claude-opus-4-5-20251101',
  text = '',
  says = [],
}: SessionShape = {}): object[] {
  const records: object[] = []
  let parentUuid: string | null = null
  const add = (type: 'user' | 'assistant', message: object): void => {
    const uuid = `uuid-${records.length + 1}`
    const timestamp = new Date(1_770_000_000_000 + records.length * 1000).toISOString()
    const shared = { sessionId: 'made', cwd: '/code/app', version: '2.1.0', isSidechain: false }
    records.push({ type, uuid, parentUuid, timestamp, ...shared, message })
    parentUuid = uuid
  }
  const answer = (content: object[], stop: string): void => {
    const id = `msg-${records.length}`
    add('assistant', { id, type: 'message', role: 'assistant', model, content, stop_reason: stop })
  }
  for (let turn = 0; turn < turns; turn++) {
    const said = says[turn] ?? `Please make feature ${turn + 1} work. Never touch config/prod.ts.`
    add('user', { role: 'user', content: said + text })
    for (let step = 0; step < steps; step++) {
      const id = `toolu_${turn}_${step}`
      const path = `/code/app/src/part${turn}/file${step}.ts${text}`
      const edits = step % 2 === 1
      const input = edits
        ? { file_path: path, old_string: `old ${turn}`, new_string: `new ${turn} ${step}${text}` }
        : { file_path: path }
      answer(
        [
          { type: 'text', text: `Looking at step ${turn}.${step}.${text}` },
          { type: 'tool_use', id, name: edits ? 'Edit' : 'Read', input },
        ],
        'tool_use',
      )
      const output = Array.from(
        { length: lines },
        (_, line) => `${line + 1}→  const value${turn}x${step}x${line} = compute(${line}) // line`,
      )
      const content = (edits ? `The file ${path} has been updated.` : output.join('\n')) + text
      add('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] })
    }
    answer([{ type: 'text', text: `Feature ${turn + 1} works now.${text}` }], 'end_turn')
  }
  return records
}
