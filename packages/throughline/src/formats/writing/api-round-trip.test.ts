import fc from 'fast-check'
import { generateText, type ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { alternateRoles } from '../../compaction/alternate-roles.ts'
import { anthropicProblems, type AnthropicBody } from '../../testing/request-rules/anthropic.ts'
import { apiWriters } from '../api-writers.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import {
  chatProblems,
  responsesProblems,
  type ChatBody,
  type ResponsesBody,
} from '../../testing/request-rules/openai.ts'
import { readSession } from '../read-session.ts'
import { runs } from '../../testing/generate/runs.ts'
import { scriptedModel } from '../../testing/scripted-model.ts'
import { substance, testIdentity } from '../../testing/writer-conformance.ts'
import { writtenOf } from '../testing/written-of.ts'
import { writtenSession } from './written-session.ts'
import type { FormatWriter, WrittenSession } from './format-writer.ts'

const session = fc
  .tuple(arbitrarySession(), fc.constantFrom('whole' as const, 'compacted' as const))
  .map(([drafts, form]) => writtenOf(drafts, form, { system: 'Be brief.', model: 'claude-x' }))

function textOf(writer: FormatWriter, written: WrittenSession): string {
  return writer.write(written, testIdentity()).text
}

/** The messages of an API have one of two speakers, and those of one may stand in one message. */
function asRequest({ summary, messages, facts }: WrittenSession): WrittenSession {
  const joined = alternateRoles(messages.map(({ message }) => message))
  const said = joined.map((message) => ({ message, origin: 'human' as const, at: 0 }))
  return { ...(summary !== undefined && { summary }), messages: said, facts }
}

describe.each(apiWriters)('$name', (writer) => {
  const comparable = writer.name === 'ai-sdk' ? (same: WrittenSession) => same : asRequest

  it('reads back what was written, told by its content alone', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (wanted) => {
        const written = await wanted
        const { log, facts } = await readSession(textOf(writer, written))
        const read = writtenSession(log, facts)
        expect(substance(comparable(read))).toEqual(substance(comparable(written)))
        expect(facts.system).toBe(writer.name === 'ai-sdk' ? undefined : 'Be brief.')
      }),
      runs(40),
    )
  })

  it('writes the same text for the same session', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (wanted) => {
        const written = await wanted
        expect(textOf(writer, written)).toBe(textOf(writer, written))
      }),
      runs(10),
    )
  })
})

async function sdkProblems(messages: ModelMessage[]): Promise<string[]> {
  const model = scriptedModel({ script: [{ text: 'Done.' }] })
  const next: ModelMessage = { role: 'user', content: 'Go on.' }
  const { text } = await generateText({ model, messages: [...messages, next], maxRetries: 0 })
  return text === 'Done.' ? [] : ['another answer']
}

/** What a provider, or the SDK, would refuse of the document that a writer made. */
const problems: Record<string, (document: unknown) => string[] | Promise<string[]>> = {
  anthropic: (body) => anthropicProblems(body as AnthropicBody),
  'openai-chat': (body) => chatProblems(body as ChatBody),
  'openai-responses': (body) => responsesProblems(body as ResponsesBody),
  'ai-sdk': (messages) => sdkProblems(messages as ModelMessage[]),
}

describe.each(apiWriters)('what is written for $name', (writer) => {
  it('is what its API takes', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (wanted) => {
        const document: unknown = JSON.parse(textOf(writer, await wanted))
        expect(await problems[writer.name]?.(document)).toEqual([])
      }),
      runs(40),
    )
  })
})
