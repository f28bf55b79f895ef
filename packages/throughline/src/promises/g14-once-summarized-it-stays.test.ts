import { describe, expect, it } from 'vitest'
import { messageText } from '../log/message-text.ts'
import { compactMessages } from '../session/once/compact-messages.ts'
import type { Message } from '../log/message.ts'

const rounds = 20
const opening = 'Please port the billing service to the new API, module by module.'
const rule = 'Never touch the files below vendor/.'

function call(id: string, toolName: string, input: unknown, output: string): Message[] {
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName, input }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value: output } },
      ],
    },
  ]
}

/** What a round adds: a request, a file that is made, one that is edited, and a conclusion. */
function work(round: number): Message[] {
  const path = `/repo/src/module-${round}.ts`
  return [
    { role: 'user', content: round === 0 ? `${opening} ${rule}` : `Now port module ${round}.` },
    ...call(`r${round}`, 'Read', { file_path: `/repo/old/${round}.ts` }, 'old code\n'.repeat(400)),
    ...call(`w${round}`, 'Write', { file_path: path, content: 'x' }, 'File created.'),
    ...call(`e${round}`, 'Edit', { file_path: path, old_string: 'x', new_string: 'y' }, 'ok'),
    ...call(`t${round}`, 'Bash', { command: `npm test module-${round}` }, '1 passed'),
    { role: 'assistant', content: `Module ${round} is ported because its API changed.` },
  ]
}

async function life(travel: (messages: Message[]) => Message[]): Promise<string[]> {
  const texts: string[] = []
  let messages: Message[] = []
  for (let round = 0; round < rounds; round++) {
    const { messages: shorter } = await compactMessages([...messages, ...work(round)], {
      window: { context: 48_000 },
      trigger: 'manual',
      directories: ['/repo'],
    })
    texts.push(shorter.map(messageText).join('\n'))
    messages = travel(shorter)
  }
  return texts
}

const ways: readonly [string, (messages: Message[]) => Message[]][] = [
  ['in one process', (messages) => messages],
  ['through JSON', (messages) => JSON.parse(JSON.stringify(messages)) as Message[]],
]

describe('G14: once summarized, it stays summarized', () => {
  it.each(ways)(
    `%s, ${rounds} compactions keep the beginning, the rules and every file`,
    async (_, travel) => {
      const texts = await life(travel)
      for (const [round, text] of texts.entries()) {
        expect(text).toContain(opening)
        expect(text).toContain(rule)
        for (let past = 0; past <= round; past++) {
          expect(text, `round ${round}`).toContain(`src/module-${past}.ts`)
        }
      }
    },
  )

  it('what a file went through is told as it was, and in its order', async () => {
    const [one, other] = await Promise.all(ways.map(([, travel]) => life(travel)))
    const changed = (text: string): string[] =>
      [...text.matchAll(/^- (created|edited|renamed|deleted)\b[^[\n]*/gm)].map(([line]) =>
        line.replaceAll(/ ×\d+/g, '').trim(),
      )
    expect(changed(other?.at(-1) ?? '')).toEqual(changed(one?.at(-1) ?? ''))
  })
})
