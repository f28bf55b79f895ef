import fc from 'fast-check'
import type {
  AssistantModelMessage,
  FilePart,
  ImagePart,
  ModelMessage,
  ToolResultPart,
  UserModelMessage,
} from 'ai'

type Output = ToolResultPart['output']
type AnswerPart = Exclude<AssistantModelMessage['content'], string>[number]
type OutputPart = Extract<Output, { type: 'content' }>['value'][number]

const text = fc.oneof(fc.string(), fc.constantFrom('', 'đọc tệp', '\ud800', '🎉', 'a\u0000b'))
const name = fc.constantFrom('read', 'edit', 'shell')
const base64 = fc
  .uint8Array({ maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('base64'))
const bytes = fc.uint8Array({ minLength: 1, maxLength: 12 })
const url = fc
  .constantFrom('https://example.com/a.png', 'https://example.com/b c')
  .map((href) => new URL(href))
const reference = fc.constantFrom({ openai: 'file-1' }, { google: 'files/2', anthropic: 'f3' })

/** Provider options of a part; sometimes set to `undefined`, as the SDK does. */
const options = fc.option(
  fc.record({
    providerOptions: fc.constantFrom(
      undefined,
      { anthropic: { cacheControl: { type: 'ephemeral' } } },
      { openai: { itemId: 'rs_1', reasoningEncryptedContent: null } },
      { google: { thoughtSignature: 'sig', nested: { deep: [1, 'two', { three: true }] } } },
    ),
  }),
  { nil: {} },
)

function withOptions<Part extends object>(part: fc.Arbitrary<Part>): fc.Arbitrary<Part> {
  return fc.tuple(part, options).map(([part, options]) => ({ ...part, ...options }))
}

const fileData = fc.oneof(
  base64,
  bytes,
  bytes.map((data) => data.slice().buffer),
  url,
  reference,
  fc.oneof(base64, bytes).map((data) => ({ type: 'data' as const, data })),
  url.map((url) => ({ type: 'url' as const, url })),
  reference.map((reference) => ({ type: 'reference' as const, reference })),
  text.map((text) => ({ type: 'text' as const, text })),
)

const file: fc.Arbitrary<FilePart> = fc.record(
  {
    type: fc.constant('file' as const),
    data: fileData,
    mediaType: fc.constantFrom('image/png', 'image', 'application/pdf', 'text/plain'),
    filename: fc.constantFrom('a.pdf', undefined),
  },
  { requiredKeys: ['type', 'data', 'mediaType'] },
) as fc.Arbitrary<FilePart>

const image: fc.Arbitrary<ImagePart> = fc.record(
  {
    type: fc.constant('image' as const),
    image: fc.oneof(base64, bytes, url, reference),
    mediaType: fc.constantFrom('image/png', 'image/jpeg'),
  },
  { requiredKeys: ['type', 'image'] },
)

const textPart = text.map((text) => ({ type: 'text' as const, text }))

const user: fc.Arbitrary<ModelMessage> = withOptions(
  fc.record({
    role: fc.constant('user' as const),
    content: fc.oneof(
      text,
      fc.array(
        withOptions<Exclude<UserModelMessage['content'], string>[number]>(
          fc.oneof(textPart, file, image),
        ),
        { minLength: 1, maxLength: 4 },
      ),
    ),
  }),
)

const outputFile = fc.record({
  type: fc.constant('file' as const),
  data: fc.oneof(
    fc.oneof(base64, bytes).map((data) => ({ type: 'data' as const, data })),
    url.map((url) => ({ type: 'url' as const, url })),
    reference.map((reference) => ({ type: 'reference' as const, reference })),
    text.map((text) => ({ type: 'text' as const, text })),
  ),
  mediaType: fc.constantFrom('image/png', 'text/plain'),
})

const outputPart: fc.Arbitrary<OutputPart> = fc.oneof(
  textPart,
  outputFile,
  base64.map((data) => ({
    type: 'file-data' as const,
    data,
    mediaType: 'application/pdf',
    filename: 'a.pdf',
  })),
  fc.constant({
    type: 'file-url' as const,
    url: 'https://example.com/a.pdf',
    mediaType: 'application/pdf',
  }),
  fc
    .constantFrom('file-1', { openai: 'file-1' })
    .map((fileId) => ({ type: 'file-id' as const, fileId })),
  reference.map((providerReference) => ({ type: 'file-reference' as const, providerReference })),
  base64.map((data) => ({ type: 'image-data' as const, data, mediaType: 'image/png' })),
  fc.constant({ type: 'image-url' as const, url: 'https://example.com/a.png' }),
  fc
    .constantFrom('file-1', { openai: 'file-1' })
    .map((fileId) => ({ type: 'image-file-id' as const, fileId })),
  reference.map((providerReference) => ({
    type: 'image-file-reference' as const,
    providerReference,
  })),
  fc.constant({ type: 'custom' as const }),
) as fc.Arbitrary<OutputPart>

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<
  Extract<Output, { type: 'json' }>['value']
>

const output: fc.Arbitrary<Output> = withOptions<Output>(
  fc.oneof(
    text.map((value) => ({ type: 'text' as const, value })),
    json.map((value) => ({ type: 'json' as const, value })),
    text.map((value) => ({ type: 'error-text' as const, value })),
    json.map((value) => ({ type: 'error-json' as const, value })),
    fc.constantFrom(
      { type: 'execution-denied' as const },
      { type: 'execution-denied' as const, reason: 'no' },
    ),
    fc
      .array(withOptions(outputPart), { maxLength: 3 })
      .map((value) => ({ type: 'content' as const, value })),
  ),
)

const words: fc.Arbitrary<AnswerPart> = withOptions<AnswerPart>(
  fc.oneof(
    textPart,
    text.map((text) => ({ type: 'reasoning' as const, text })),
    fc
      .oneof(base64, bytes, url)
      .map((data) => ({ type: 'reasoning-file' as const, data, mediaType: 'image/png' })),
    fc.constant({ type: 'custom' as const, kind: 'openai.compaction' as const }),
    file,
  ),
)

const call = fc.record({
  toolName: name,
  input: fc.oneof(json, fc.constant({ path: 'src/a.ts' })),
  output,
  options,
  /** Who ran it, and whether it was asked for. */
  by: fc.constantFrom('tool', 'provider', 'tool after approval'),
})

/** An answer, and the messages of tools that belong to it: each in its own, or all in one. */
const step: fc.Arbitrary<ModelMessage[]> = fc
  .record({
    said: fc.array(words, { maxLength: 4 }),
    calls: fc.array(call, { maxLength: 3 }),
    joined: fc.boolean(),
    options,
    toolOptions: options,
  })
  .map(({ said, calls, joined, options, toolOptions }) => {
    const content: object[] = [...said]
    const answers: object[][] = []
    for (const [index, { toolName, input, output, by, options }] of calls.entries()) {
      const toolCallId = `call-${index}`
      const part = { toolCallId, toolName, ...options }
      const result = { type: 'tool-result' as const, ...part, output }
      content.push({
        type: 'tool-call',
        ...part,
        input,
        ...(by === 'provider' && { providerExecuted: true }),
      })
      if (by === 'provider') content.push(result)
      if (by === 'tool') answers.push([result])
      if (by === 'tool after approval') {
        const approvalId = `of-${index}`
        content.push({
          type: 'tool-approval-request',
          approvalId,
          toolCallId,
          isAutomatic: false,
          signature: 's',
        })
        answers.push([
          { type: 'tool-approval-response', approvalId, approved: true, reason: 'go on' },
          result,
        ])
      }
    }
    const messages = joined ? [answers.flat()].filter((list) => list.length > 0) : answers
    return [
      { role: 'assistant', content, ...options } as ModelMessage,
      ...messages.map((content) => ({ role: 'tool', content, ...toolOptions }) as ModelMessage),
    ]
  })

/** Conversations that hold everything that the SDK's messages can say. */
export const arbitraryModelMessages: fc.Arbitrary<ModelMessage[]> = fc
  .array(
    fc.oneof(
      user.map((message) => [message]),
      step,
      withOptions(text.map((content) => ({ role: 'assistant' as const, content }))).map(
        (message) => [message],
      ),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((messages) => withOwnIds(messages.flat()))

/** Separate ids for the calls of each step. */
function withOwnIds(messages: readonly ModelMessage[]): ModelMessage[] {
  let step = 0
  return messages.map((message) => {
    if (message.role === 'assistant') step += 1
    if (typeof message.content === 'string') return message
    const content = message.content.map((part) => ({
      ...part,
      ...('toolCallId' in part && { toolCallId: `${step}-${part.toolCallId}` }),
      ...('approvalId' in part && { approvalId: `${step}-${part.approvalId}` }),
    }))
    return { ...message, content } as ModelMessage
  })
}
