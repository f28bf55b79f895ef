import fc from 'fast-check'
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  MessageParam,
  SearchResultBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages'

const text = fc.string({ maxLength: 12 })
const id = fc.stringMatching(/^[a-z]{1,6}$/)
const cache_control: fc.Arbitrary<CacheControlEphemeral | null> = fc.constantFrom(
  null,
  { type: 'ephemeral' as const },
  { type: 'ephemeral' as const, ttl: '1h' as const },
)
// JSON has no -0.
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)

/** A record in which only some keys are required. */
function block<Value>(
  required: { [Key in keyof Value]?: fc.Arbitrary<Value[Key]> },
  optional: { [Key in keyof Value]?: fc.Arbitrary<Value[Key]> } = {},
): fc.Arbitrary<Value> {
  const model = { ...required, ...optional }
  const requiredKeys = Object.keys(required)
  return fc.record(model as never, { requiredKeys } as never) as fc.Arbitrary<Value>
}

const citation = fc.record({
  type: fc.constant('char_location' as const),
  cited_text: text,
  document_index: fc.nat(3),
  document_title: fc.constantFrom(null, 'A title'),
  start_char_index: fc.nat(9),
  end_char_index: fc.nat(9),
})

const textBlock = block<TextBlockParam>(
  { type: fc.constant('text'), text },
  { cache_control, citations: fc.constantFrom(null, []) },
)
const citedBlock = block<TextBlockParam>({
  type: fc.constant('text'),
  text,
  citations: fc.array(citation, { maxLength: 2 }),
})

const imageBlock = block<ImageBlockParam>(
  {
    type: fc.constant('image'),
    source: fc.oneof(
      fc.record({
        type: fc.constant('base64' as const),
        media_type: fc.constantFrom('image/png' as const, 'image/jpeg' as const),
        data: fc.base64String({ maxLength: 12 }),
      }),
      fc.record({ type: fc.constant('url' as const), url: text }),
      fc.record({ type: fc.constant('file' as const), file_id: text }),
    ),
  },
  { cache_control },
)

const documentBlock = block<DocumentBlockParam>(
  {
    type: fc.constant('document'),
    source: fc.oneof(
      fc.record({
        type: fc.constant('base64' as const),
        media_type: fc.constant('application/pdf' as const),
        data: fc.base64String({ maxLength: 12 }),
      }),
      fc.record({
        type: fc.constant('text' as const),
        media_type: fc.constant('text/plain' as const),
        data: text,
      }),
      fc.record({ type: fc.constant('url' as const), url: text }),
      fc.record({ type: fc.constant('file' as const), file_id: text }),
      fc.record({
        type: fc.constant('content' as const),
        content: fc.oneof(text, fc.array(fc.oneof(textBlock, imageBlock), { maxLength: 2 })),
      }),
    ),
  },
  {
    cache_control,
    title: fc.constantFrom(null, 'A title'),
    context: fc.constantFrom(null, 'of it'),
    citations: fc.constantFrom(null, { enabled: true }),
  },
)

const searchResult = block<SearchResultBlockParam>(
  {
    type: fc.constant('search_result'),
    source: text,
    title: text,
    content: fc.array(textBlock, { maxLength: 2 }),
  },
  { cache_control, citations: fc.constant({ enabled: true }) },
)

const caller = fc.constant({ type: 'direct' as const })

type ResultBlock = Exclude<ToolResultBlockParam['content'], string | undefined>[number]

function resultOf(tool_use_id: string): fc.Arbitrary<ToolResultBlockParam> {
  return block<ToolResultBlockParam>(
    { type: fc.constant('tool_result'), tool_use_id: fc.constant(tool_use_id) },
    {
      content: fc.oneof<fc.Arbitrary<ToolResultBlockParam['content']>[]>(
        text,
        fc.array(
          fc.oneof<fc.Arbitrary<ResultBlock>[]>(
            textBlock,
            imageBlock,
            searchResult,
            documentBlock,
            fc.record({ type: fc.constant('tool_reference' as const), tool_name: id }),
            fc.record({
              type: fc.constant('browser_state' as const),
              tabs: fc.constant([]),
            }),
          ),
          { maxLength: 3 },
        ),
        fc.array(textBlock, { maxLength: 2 }),
      ),
      is_error: fc.boolean(),
      cache_control,
      toolset_name: fc.constantFrom(null, 'a set'),
    },
  )
}

const serverResultTypes = [
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_result',
]

/** A call that the provider runs, with its result. */
const serverBlocks = fc
  .record({ id, type: fc.constantFrom(...serverResultTypes), input: json, content: json, caller })
  .map(({ id, type, input, content, caller }) => [
    { type: 'server_tool_use', id, name: 'web_search', input, caller },
    { type, tool_use_id: id, content, caller },
  ])

const thinkingBlocks = fc.oneof(
  fc.record({ type: fc.constant('thinking' as const), thinking: text, signature: text }),
  fc.record({ type: fc.constant('redacted_thinking' as const), data: text }),
  // Servers that took the API over do not sign.
  fc.record({ type: fc.constant('thinking' as const), thinking: text }),
)

const newBlock = fc.record({ type: fc.constant('hologram'), depth: json })

/** What an assistant says, except calls that wait for results. */
const said = fc
  .array(
    fc.oneof(
      textBlock.map((block) => [block]),
      citedBlock.map((block) => [block]),
      thinkingBlocks.map((block) => [block]),
      serverBlocks,
      newBlock.map((block) => [block]),
    ),
    { maxLength: 3 },
  )
  .map((blocks) => blocks.flat() as ContentBlockParam[])

/** What the beta types say besides: tools that come and go, and a compaction of the provider. */
const betaMessage = fc
  .oneof(
    fc.record({
      role: fc.constant('system'),
      content: fc.array(fc.record({ type: fc.constant('tool_addition'), tool: json })),
      clear_at: fc.constantFrom(null, 'never'),
    }),
    fc.record({ role: fc.constant('system'), output_config: json }),
    fc.record({
      role: fc.constant('assistant'),
      content: fc
        .tuple(said, fc.constantFrom(null, 'What was.'), said)
        .map(([before, content, behind]) => [
          ...before,
          { type: 'compaction', content, signature: 'sealed' },
          ...behind,
        ]),
    }),
  )
  .map((message) => message as MessageParam)

const userBlock = fc.oneof(
  textBlock,
  imageBlock,
  documentBlock,
  searchResult,
  block<ContentBlockParam & { type: 'container_upload' }>(
    { type: fc.constant('container_upload'), file_id: text },
    { cache_control },
  ),
  newBlock as fc.Arbitrary<never>,
) as fc.Arbitrary<ContentBlockParam>

const callIds = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{12}$/), { minLength: 1, maxLength: 3 })

/** A step with calls, and the user's results. */
const step: fc.Arbitrary<MessageParam[]> = fc
  .tuple(said, callIds, fc.array(json, { minLength: 3, maxLength: 3 }))
  .chain(([before, ids, inputs]) =>
    fc
      .tuple(
        fc.tuple(...ids.map(resultOf)),
        fc.array(userBlock, { maxLength: 2 }),
        fc.constantFrom('behind', 'before'),
      )
      .map(([results, others, place]): MessageParam[] => [
        {
          role: 'assistant',
          content: [
            ...before,
            ...ids.map((id, index) => ({
              type: 'tool_use' as const,
              id,
              name: 'read',
              input: inputs[index],
            })),
          ],
        },
        {
          role: 'user',
          content: place === 'behind' ? [...results, ...others] : [...others, ...results],
        },
      ]),
  )

const message: fc.Arbitrary<MessageParam> = fc.oneof(
  betaMessage,
  fc.record({ role: fc.constant('user' as const), content: text }),
  fc.record({ role: fc.constant('user' as const), content: fc.array(userBlock, { maxLength: 3 }) }),
  fc.record({ role: fc.constant('assistant' as const), content: text }),
  fc.record({ role: fc.constant('assistant' as const), content: said }),
  fc.record({ role: fc.constant('system' as const), content: text }),
  fc.record({
    role: fc.constant('system' as const),
    content: fc.array(textBlock, { maxLength: 2 }),
  }),
)

/** Conversations of the Messages API with every kind of block that its types can say. */
export const anthropicConversation: fc.Arbitrary<MessageParam[]> = fc
  .array(
    fc.oneof(
      message.map((one) => [one]),
      step,
    ),
    { maxLength: 6 },
  )
  .map((messages) => messages.flat())
