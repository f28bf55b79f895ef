import { expect, it } from 'vitest'
import { factsOf } from '../facts-of.ts'
import { assistant, human, logFrom } from '../../testing/generate/build.ts'
import { Beside } from './beside.ts'
import { humanMessages as messageSteps, latestRequest } from './human-messages.ts'
import { askedByAgent } from '../../log/asked-by-agent.ts'
import { Room } from './room.ts'
import { summarizeLocally } from '../../compaction/summary/local/summarize-locally.ts'
import type { EntryDraft } from '../../log/entry.ts'
import { allSteps } from '../../json/all-steps.ts'

const humanMessages = (...given: Parameters<typeof messageSteps>): string[] =>
  allSteps(messageSteps(...given))

const beside = new Beside([])
const room = (): Room => new Room(2_000, (text) => Math.ceil(text.length / 4))
const config = '    server:\n      port: 80\n      hosts:\n        - a'

it('what is quoted keeps its indentation, from the first line on', () => {
  const log = logFrom([human(config), assistant('Done.'), human(`\n\n${config}\n`)])
  const facts = factsOf(log)
  const latest = latestRequest(facts, { room: room(), tokens: 200, beside })
  expect(latest.slice(1)).toEqual(config.split('\n').map((line) => `> ${line}`))
  const earlier = humanMessages(facts, { room: room(), tokens: 200, beside }).join('\n')
  expect(earlier).toContain(config.replaceAll('\n', '\n  '))
})

it('what was pasted in pieces leaves one sign', () => {
  const pasted = (at: number): string =>
    ['```', ...Array.from({ length: 25 }, (_, line) => `${at} output ${line}`), '```'].join('\n')
  const text = `Look at this console:\n\n${pasted(1)}\n\n${pasted(2)}\n\n${pasted(3)}\nWhy does it print so much?`
  const facts = factsOf(logFrom([human(text), assistant('So.'), human('Go on with it.')]))
  const told = humanMessages(facts, { room: room(), tokens: 90, beside }).join('\n')
  expect(told.match(/…/g)).toHaveLength(1)
  expect(told).toContain('Look at this console:\n  …\n  Why does it print so much?')
})

it('a path in a fence of one line is named, and what follows it stands', () => {
  const told = `Please look at this one\n\`\`\`src/deep/parser.ts\`\`\`\nwhich drops tabs.\n${'const a = 1;\n'.repeat(60)}And say why.`
  const facts = factsOf(logFrom([human(told), assistant('So.'), human('Go on with it.')]))
  const lines = humanMessages(facts, { room: room(), tokens: 90, beside }).join('\n')
  expect(lines).toContain('src/deep/parser.ts')
  expect(lines).toContain('which drops tabs.')
  expect(lines).toContain('And say why.')
  expect(lines).not.toContain('const a')
})

it('what was pasted takes little room even where there is much', () => {
  const output = Array.from(
    { length: 40 },
    (_, line) => `       ${line}  "state": "active ${line}"`,
  )
  const text = `It prints this:\n⏺ Write(state.json)\n  ⎿  Added 14 lines\n${output.join('\n')}\nWhy does it?`
  const facts = factsOf(logFrom([human(text), assistant('So.'), human('Go on with it.')]))
  const told = humanMessages(facts, { room: room(), tokens: 1_500, beside }).join('\n')
  expect(told).toContain('It prints this:\n  …\n  Why does it?')
})

it('a path or an address between two fences is named, not pasted', () => {
  const log = Array.from({ length: 40 }, (_, line) => `${line} rows were read`).join('\n')
  const text = `The sums of the day still go to\n\`\`\`\nlogs/28c304f6-3c5f.log\n\`\`\`\nand this is what stands there:\n\`\`\`\n${log}\n\`\`\``
  const facts = factsOf(logFrom([human(text), assistant('So.'), human('Go on with it.')]))
  const told = humanMessages(facts, { room: room(), tokens: 150, beside }).join('\n')
  expect(told).toContain('still go to\n  logs/28c304f6-3c5f.log\n  and this is what stands there:')
  expect(told).not.toContain('rows were read')
})

it('the command that somebody typed stands, and what it printed goes first', () => {
  const printed = Array.from({ length: 40 }, (_, at) => `[sync] sent ${at} MiB`).join('\n')
  const text = `❯ sync run \\\n    --user git \\\n    https://example.com/a.git\n${printed}\nPassword for 'https://example.com':`
  const facts = factsOf(logFrom([human(text), assistant('So.'), human('Go on with it.')]))
  const told = humanMessages(facts, { room: room(), tokens: 150, beside }).join('\n')
  expect(told).toContain('❯ sync run \\\n      --user git \\\n      https://example.com/a.git\n  …')
  expect(told).toContain("Password for 'https://example.com':")
})

it('a request that stands below is recognized by its beginning, and is whole where that is short', () => {
  const short =
    'On 3: I guess we need to check what the other side expects to find out if this is safe to change?'
  const order = `<files>\n/code\n</files>\nMend the sums of every export that the exporter writes. ${'And so on, as said. '.repeat(20)}It is fine if it takes long.`
  const latest = (text: string): string[] => {
    const facts = factsOf(logFrom([human('Hello.'), assistant('Yes?'), human(text)]))
    return [...latestRequest(facts, { room: room(), tokens: 200, beside: new Beside([text]) })]
  }
  expect(latest(short)).toEqual(['The latest request [3]:', `> ${short}`])
  expect(latest(order)[0]).toBe('The latest request [3], its beginning (the whole is below):')
  expect(latest(order)[1]).toBe('> /code')
  expect(latest(order).join('\n')).toMatch(/Mend the sums of every export[^\n]* …$/)
  expect(latest(order).join('\n')).not.toContain('It is fine')
})

it('a long order of the human stands whole where there is room for it', () => {
  const order = Array.from({ length: 80 }, (_, at) => `Task ${at} is to be done after its test is.`)
  const text = order.join('\n')
  const facts = factsOf(logFrom([human(text), assistant('So.'), human('Go on with it.')]))
  const told = (tokens: number): string =>
    humanMessages(facts, { room: room(), tokens, beside }).join('\n')
  expect(told(1_500)).toContain(order.join('\n  '))
  expect(told(300)).toContain('…')
})

it('what another agent asked stands apart from what the human said, and survives a travel so', () => {
  const asked = (text: string) => human(text, { metadata: askedByAgent })
  const log = logFrom([
    human('Write an exporter of sums.'),
    assistant('It is written.'),
    asked('Review the first half of the exporter. Do not make changes.'),
    assistant('No findings.'),
    asked('Review the second half of it.'),
  ])
  const facts = factsOf(log)
  expect(latestRequest(facts, { room: room(), tokens: 200, beside })).toEqual([
    'The latest request [5], of the agent that started this one:',
    '> Review the second half of it.',
  ])
  expect(humanMessages(facts, { room: room(), tokens: 200, beside })).toEqual([
    'What the human said before, oldest first:',
    '- [1] Write an exporter of sums.',
    'What the agent that started this one asked before, oldest first:',
    '- [3] Review the first half of the exporter. Do not make changes.',
  ])
  const count = (text: string): number => Math.ceil(text.length / 4)
  const summary = summarizeLocally({ facts, budget: 1_000, count })
  const checkpoint = { kind: 'checkpoint', at: 0, base: 0, summary, summarizer: 'local' } as const
  const travelled = { ...checkpoint, tail: [], continuation: null, metadata: { travelled: true } }
  const { requests, rules } = factsOf(logFrom([travelled as unknown as EntryDraft]))
  expect(requests.map(({ text, by }) => [text, by])).toEqual([
    ['Write an exporter of sums.', undefined],
    ['Review the second half of it.', 'agent'],
  ])
  expect(rules).toEqual([])
})

it('what stands whole among the rules is not said twice, so that the other messages fit', () => {
  const rules = Array.from({ length: 30 }, (_, at) => `Never change the table number ${at}.`)
  const others = Array.from({ length: 12 }, (_, at) => `The column ${at} is called "amount ${at}".`)
  const messages = [...rules, ...others].flatMap((text) => [human(text), assistant('So.')])
  const facts = factsOf(logFrom([...messages, human('Go on with it.')]))
  const summary = summarizeLocally({ facts, budget: 1_400, count: (text) => text.length / 4 })
  for (const text of [...rules, ...others]) expect(summary.split(text)).toHaveLength(2)
})

it('where there is no room for all messages, those that only ask go first', () => {
  const names = ['paid', 'due', 'tax', 'name', 'city']
  const asked = names.map((name) => `Why is the column ${name} empty since Monday?`)
  const told = names.map((name) => `The column ${name} holds the values of one week.`)
  const messages = [...told, ...asked].flatMap((text) => [human(text), assistant('So.')])
  const facts = factsOf(logFrom([...messages, human('Go on with it.')]))
  const lines = humanMessages(facts, { room: room(), tokens: 130, beside }).join('\n')
  for (const text of told) expect(lines).toContain(text)
  expect(lines).not.toContain(asked[0])
})

it('where not all messages fit, those that say least go, not the oldest', () => {
  const small = [
    'It is so good to talk about this with you today.',
    'Such a day is good for a talk like this.',
  ]
  const talk = Array.from({ length: 80 }, (_, at) => [
    human(small[at % 2] ?? ''),
    assistant('Yes.'),
  ])
  const told = 'My sister Ingrid flies to Tromsø in March, and her dog Balder stays with me.'
  const log = logFrom([human('Hello.'), ...talk.flat(), human(told), ...talk.flat()])
  const lines = humanMessages(factsOf(log), { room: room(), tokens: 120, beside }).join('\n')
  expect(lines).toContain(told)
})
