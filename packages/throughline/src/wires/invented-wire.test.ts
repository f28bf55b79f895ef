import { describe, expect, test } from 'vitest'
import { byRole } from './by-role.ts'
import { fieldsIn } from './reading.ts'
import { fieldsOf, listOf, nameOf, textOf, type Fields } from '../json/fields.ts'
import { isSummaryBlock } from '../compaction/render/summary-block.ts'
import { memoryStore } from '../stores/memory.ts'
import { oneByOne, wireOf, type Wire } from './wire.ts'
import { openConversationOf } from '../integrations/conversation/conversation.ts'
import { outputText, partsOf, type AssistantPart, type Message } from '../log/message.ts'
import { readText, systemContent } from './text-pieces.ts'
import { remembering } from './remembering/remembering.ts'
import { notesUnder } from './note.ts'
import { unknownPart, unknownSaid, knownAgain } from './unknown-part.ts'

/** A message of an API that does not exist: who speaks, what is said, and what is to be run. */
interface Telegram {
  from: 'station' | 'sender' | 'machine' | 'works'
  says?: string | readonly object[]
  runs?: readonly { id: string; what: string; how: unknown }[]
  of?: string
}

const notes = notesUnder('telegraph')

function readTelegram(fields: Fields, of: (list: unknown) => Fields[]): Message {
  const { from, says, runs } = fields
  const parts = typeof says === 'string' ? [{ type: 'text', text: says }] : of(says)
  if (from === 'station') return { role: 'system', content: textOf(says) ?? '' }
  if (from === 'sender') {
    return {
      role: 'user',
      content: parts.map((part) => readText(part, notes) ?? unknownPart(part, notes)),
    }
  }
  if (from === 'works') {
    const output = { type: 'text', value: textOf(says) ?? '' } as const
    const toolCallId = nameOf(fields['of']) ?? ''
    return {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName: 'work', output }],
    }
  }
  const calls = listOf(runs).map((run): AssistantPart => {
    const { id, what, how: input } = fieldsOf(run) ?? {}
    return { type: 'tool-call', toolCallId: nameOf(id) ?? '', toolName: nameOf(what) ?? '', input }
  })
  const said = parts.map((part) => readText(part, notes) ?? unknownSaid(part, 'telegraph', notes))
  return { role: 'assistant', content: [...said, ...calls] }
}

/** All that an API needs: how its messages are read, and how they are written. */
const telegraphWire: Wire<Telegram> = wireOf({
  reader: (reading, before) =>
    oneByOne('messages', before, (native, place) => {
      const fields = reading.fields(native, place)
      return fields
        ? [readTelegram(fields, (list) => fieldsIn(list, `${place}.says`, reading))]
        : []
    }),
  write: byRole(
    {
      system: (message) => ({ from: 'station', says: systemContent(message, notes) }),
      user: (_, says) => ({ from: 'sender', says }),
      userPart: (part) =>
        knownAgain(part, notes) ?? { type: 'text', text: 'text' in part ? part.text : '' },
      answer: (message) => {
        const says: Fields[] = []
        const runs: Fields[] = []
        for (const part of partsOf(message)) {
          if (part.type === 'text') says.push({ type: 'text', text: part.text })
          else if (part.type === 'tool-call') {
            runs.push({ id: part.toolCallId, what: part.toolName, how: part.input })
          }
        }
        return [{ from: 'machine', says, ...(runs.length > 0 && { runs }) }]
      },
      result: ({ toolCallId, output }) => ({
        from: 'works',
        says: outputText(output),
        of: toolCallId,
      }),
      noApproval: 'nobody is asked over the telegraph',
    },
    (fields) => fields as unknown as Telegram,
  ),
})

describe('an API that is read and written in one file', () => {
  const text = (words: string) => [{ type: 'text', text: words }]
  const steps = (count: number): Telegram[] =>
    Array.from({ length: count }, (_, at): Telegram[] => [
      {
        from: 'machine',
        says: text(`Step ${at}.`),
        runs: [{ id: `r${at}`, what: 'work', how: { at } }],
      },
      { from: 'works', says: `${at} ${'turns of the wheel\n'.repeat(60)}`, of: `r${at}` },
    ]).flat()
  const asked: Telegram = { from: 'sender', says: text('Turn the wheel until it stops.') }

  test('has conversations that fit, and gives its own objects back', async () => {
    const { fit, note } = await openConversationOf<Telegram, Telegram>(
      {
        wire: remembering(telegraphWire),
        answer: (telegram) => ({ natives: [telegram], finish: 'stop' }),
      },
      { store: memoryStore(), id: 'a', window: { context: 8_000 } },
    )
    const short = [asked, ...steps(2)]
    const sent = await fit(short)
    expect(sent.every((telegram, at) => telegram === short[at])).toBe(true)
    const long = [asked, ...steps(60)]
    const fitted = await fit(long)
    expect(fitted.length).toBeLessThan(long.length)
    const [first] = fitted
    const [part] = listOf(first?.says)
    expect(isSummaryBlock(textOf(first?.says) ?? textOf(fieldsOf(part)?.['text']) ?? '')).toBe(true)
    expect(fitted).toContain(long.at(-1))
    const answer: Telegram = { from: 'machine', says: text('It has stopped.') }
    await note(answer)
    expect(await fit([...long, answer])).toEqual([...fitted, answer])
  })
})
