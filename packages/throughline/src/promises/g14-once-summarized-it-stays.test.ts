import { describe, expect, it } from 'vitest'
import { messageText, partsOf } from '../log/message.ts'
import { compactLog } from '../session/once/compact-log.ts'
import { compactMessages } from '../session/once/compact-messages.ts'
import { chronological } from '../log/order.ts'
import { factsOf } from '../facts/facts-of.ts'
import { logOf } from '../session/once/log-of-messages.ts'
import { coreHeadings } from '../facts/summary/sections/core-sections.ts'
import { openSession } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { human, logFrom, step } from '../testing/generate/build.ts'
import type { Entry } from '../log/entry.ts'
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

/** All that a model sees of a message: the inputs of its calls, too. */
function seenIn(message: Message): string {
  const inputs = partsOf(message).flatMap((part) => (part.type === 'tool-call' ? [part.input] : []))
  return [messageText(message), ...inputs.map((input) => JSON.stringify(input))].join('\n')
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
    texts.push(shorter.map(seenIn).join('\n'))
    messages = travel(shorter)
  }
  return texts
}

/** What a summary states as a rule, and not only quotes of a request. */
function rulesOf(text: string): string[] {
  const [, lines = ''] = /\n## Instructions\n((?:- .*\n)*)/.exec(text) ?? []
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^- (.*?)(?: \[\d+\])?$/, '$1'))
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
        expect(rulesOf(text), `round ${round}`).toEqual([rule])
        for (let past = 0; past <= round; past++) {
          expect(text, `round ${round}`).toContain(`src/module-${past}.ts`)
        }
      }
    },
  )

  it.each(ways)('%s, what we put into the user’s place is nobody’s request', async (_, travel) => {
    const asked = 'Fix the rounding in src/money.ts.'
    let messages: Message[] = [
      { role: 'user', content: opening },
      { role: 'assistant', content: 'Which module first?' },
      { role: 'user', content: asked },
    ]
    const markers: string[] = []
    for (let round = 0; round < 6; round++) {
      const steps = Array.from({ length: 12 }, (__, at) =>
        call(`s${round}-${at}`, 'Bash', { command: `npm test ${at}` }, '1 failed\n'.repeat(300)),
      )
      const { messages: shorter } = await compactMessages([...messages, ...steps.flat()], {
        window: { context: 32_000 },
        trigger: 'manual',
      })
      messages = travel(shorter)
      const log = logOf(messages)
      const said = log.flatMap((entry) =>
        entry.kind === 'message' && entry.message.role === 'user' ? [entry] : [],
      )
      for (const { origin, message } of said) {
        if (origin === 'human') expect([opening, asked]).toContain(messageText(message))
        else markers.push(messageText(message))
      }
      expect(factsOf(log).requests.at(-1)?.text ?? asked).toBe(asked)
      expect(messages.map(messageText).join('\n')).toContain(asked)
    }
    expect(markers).toContain('continue')
    expect(markers.join('\n')).toMatch(/steps are left out here/)
  })

  it('what a file went through is told as it was, and in its order', async () => {
    const [one, other] = await Promise.all(ways.map(([, travel]) => life(travel)))
    const changed = (text: string): string[] =>
      [...text.matchAll(/^- (created|edited|renamed|deleted)\b[^[\n]*/gm)].map(([line]) =>
        line.replaceAll(/ ×\d+/g, '').trim(),
      )
    expect(changed(other?.at(-1) ?? '')).toEqual(changed(one?.at(-1) ?? ''))
  })
})

/** What another client, or a model, left of a session: nobody has its log. */
const foreign = [
  ['Goal', 'Port billing to the ledger API before the audit in March.'],
  ['Instructions', '- Never touch the files below vendor/.'],
  ['Discoveries', 'Invoices are rounded twice because Money.toCents truncates.'],
  ['Accomplished', 'Replaced the rounding in src/money.ts; the retry queue was given up.'],
  ['Relevant files', '- src/money.ts — where cents are made'],
]

describe('G14: a summary that somebody else wrote', () => {
  it('is carried whole, all five sections, through compaction after compaction', async () => {
    const summary = foreign.map(([heading, body]) => `## ${heading}\n${body}`).join('\n\n')
    let log = logFrom([
      {
        kind: 'checkpoint',
        at: 0,
        base: 0,
        summary,
        summarizer: 'other',
        tail: [],
        continuation: null,
        metadata: {},
      },
    ])
    for (let round = 1; round <= rounds; round++) {
      const before = log.length
      const said = work(round).map((message, at): Entry => ({
        kind: 'message',
        at: 0,
        seq: before + at + 1,
        origin: message.role === 'user' ? 'human' : message.role === 'tool' ? 'tool' : 'model',
        message,
      }))
      const compacted = await compactLog(chronological([...log, ...said]), {
        window: { context: 48_000 },
        trigger: 'manual',
      })
      log = compacted.log
      const text = compacted.messages.map(messageText).join('\n').replaceAll('\n> ', '\n')
      for (const [, body] of foreign) {
        expect(text, `round ${round}`).toContain(body?.replace(/^- /, ''))
      }
    }
  })
})

it('G14: a model is given the summary that it updates', async () => {
  const asked: string[] = []
  const said = (number: number): string =>
    coreHeadings.map((heading) => `## ${heading}\nWhat ${heading} was ${number}.`).join('\n\n')
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 48_000 },
    summarizer: {
      name: 'own',
      summarize: async (request) => {
        asked.push(request.previous ?? '')
        return { text: said(asked.length), finish: 'stop' }
      },
    },
  })
  for (let round = 0; round < 2; round++) {
    await session.append(
      human(`Go on with ${round}.`),
      ...Array.from({ length: 4 }, (_, n) =>
        step(`c${round}-${n}`, 'Read', { file_path: `${n}.ts` }, 'text '.repeat(4_000)),
      ).flat(),
    )
    expect(await session.compact()).toMatchObject({ action: 'summary', summarizer: 'own' })
  }
  expect(asked[0]).toBe('')
  for (const heading of coreHeadings) expect(asked[1]).toContain(`What ${heading} was 1.`)
})
