import fc from 'fast-check'
import {
  AIMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages'

const text = fc.string({ maxLength: 12 })
const id = fc.stringMatching(/^[a-z0-9]{12}$/)
const name = fc.stringMatching(/^[a-z]{1,6}$/)
// JSON has no -0.
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const args = fc.dictionary(name, json, { maxKeys: 3 })
type Fields = Record<string, unknown>

/** A record in which only some keys are required. */
function block(
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Fields> {
  const model: Record<string, fc.Arbitrary<unknown>> = { ...required, ...optional }
  return fc.record(model, { requiredKeys: Object.keys(required) })
}

const textBlock = block(
  { type: fc.constant('text'), text },
  { annotations: fc.constant([]), cache_control: fc.constant({ type: 'ephemeral' }), id },
)

const mediumBlock = fc.constantFrom('image', 'audio', 'video', 'file').chain((type) =>
  fc.oneof(
    block({ type: fc.constant(type), url: text }, { mimeType: fc.constant('image/png'), id }),
    block(
      { type: fc.constant(type), data: fc.base64String({ maxLength: 12 }) },
      { mimeType: fc.constant('audio/wav'), metadata: json },
    ),
    block({ type: fc.constant(type), fileId: text }),
    block({
      type: fc.constant(type),
      source_type: fc.constant('base64'),
      mime_type: fc.constant('image/png'),
      data: fc.base64String({ maxLength: 12 }),
    }),
  ),
)

const userBlock = fc.oneof(
  textBlock,
  mediumBlock,
  block({ type: fc.constant('image_url'), image_url: text }),
  block({
    type: fc.constant('image_url'),
    image_url: block({ url: text }, { detail: fc.constant('low') }),
  }),
  block({ type: fc.constant('text-plain'), text }, { title: text }),
  block({ type: fc.constant('document'), source: json }),
  block({ type: fc.constant('non_standard'), value: json }),
  block({ type: fc.constant('hologram'), depth: json }),
)

const answerBlock = fc.oneof(
  textBlock,
  mediumBlock,
  block({ type: fc.constant('reasoning'), reasoning: text }, { index: fc.nat(3) }),
  block({ type: fc.constant('thinking'), thinking: text, signature: text }),
  block({ type: fc.constant('redacted_thinking'), data: text }),
  block({ type: fc.constant('server_tool_call'), id, name, args: json }),
  block({ type: fc.constant('server_tool_call_result'), toolCallId: id, output: json }),
  block({ type: fc.constant('non_standard'), value: json }),
  block({ type: fc.constant('tool_use'), id, name, input: json }),
)

const common = {
  id,
  name,
  additional_kwargs: fc.dictionary(name, json, { maxKeys: 2 }),
  response_metadata: fc.dictionary(name, json, { maxKeys: 2 }),
}

const usage_metadata = fc.record({
  input_tokens: fc.nat(99),
  output_tokens: fc.nat(99),
  total_tokens: fc.nat(99),
  input_token_details: fc.record({ cache_read: fc.nat(9) }),
})

const invalid_tool_calls = fc.array(
  block({ name, args: text, type: fc.constant('invalid_tool_call') }, { id, error: text }),
  { maxLength: 1 },
)

interface Call {
  id: string
  name: string
  args: Fields
  place: 'beside' | 'block' | 'own'
}

const call: fc.Arbitrary<Call> = fc.record({
  id,
  name,
  args,
  place: fc.constantFrom('beside' as const, 'block' as const, 'own' as const),
})

/** A call that also appears among the blocks, as in Anthropic's and LangChain's own content. */
function callBlock({ id, name, args, place }: Call): Fields[] {
  if (place === 'beside') return []
  const input = place === 'own' ? JSON.stringify(args) : args
  return [{ type: 'tool_use', id, name, input }]
}

const step: fc.Arbitrary<BaseMessage[]> = fc
  .tuple(
    block({}, { ...common, usage_metadata, invalid_tool_calls }),
    fc.oneof(text, fc.array(answerBlock, { maxLength: 2 })),
    fc.uniqueArray(call, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
    fc.boolean(),
  )
  .chain(([fields, content, calls, turned]) => {
    const tool_calls = calls.map(({ id, name, args }) => ({ type: 'tool_call', id, name, args }))
    const blocks = (turned ? calls.toReversed() : calls).flatMap(callBlock)
    const answer = {
      ...fields,
      content: typeof content === 'string' ? content : [...content, ...blocks],
      tool_calls,
    }
    return fc
      .tuple(...calls.map(({ id }) => resultOf(id)))
      .map((results) => [new AIMessage(answer as never), ...results])
  })

function resultOf(tool_call_id: string): fc.Arbitrary<ToolMessage> {
  return block(
    {
      tool_call_id: fc.constant(tool_call_id),
      content: fc.oneof(text, fc.array(userBlock, { maxLength: 2 })),
    },
    {
      ...common,
      status: fc.constantFrom('success', 'error'),
      artifact: json,
      metadata: fc.dictionary(name, json, { maxKeys: 1 }),
    },
  ).map((fields) => new ToolMessage(fields as never))
}

const olderStep: fc.Arbitrary<BaseMessage[]> = fc
  .record({ name, arguments: text, content: text })
  .map(({ content, ...function_call }) => [
    new AIMessage({ content: '', additional_kwargs: { function_call } }),
    new FunctionMessage({ name: function_call.name, content }),
  ])

const content = fc.oneof(text, fc.array(userBlock, { maxLength: 3 }))

const message: fc.Arbitrary<BaseMessage> = fc.oneof(
  block({ content }, common).map((fields) => new HumanMessage(fields as never)),
  block({ content: fc.oneof(text, fc.array(textBlock, { maxLength: 2 })) }, common).map(
    (fields) => new SystemMessage(fields as never),
  ),
  block({ content, role: name }, common).map((fields) => new ChatMessage(fields as never)),
  block(
    { content: fc.oneof(text, fc.array(answerBlock, { maxLength: 3 })) },
    { ...common, usage_metadata },
  ).map((fields) => new AIMessage(fields as never)),
)

/** Conversations of LangChain with every kind of message and block that its types can say. */
export const langchainConversation: fc.Arbitrary<BaseMessage[]> = fc
  .array(
    fc.oneof(
      message.map((one) => [one]),
      step,
      olderStep,
    ),
    { maxLength: 6 },
  )
  .map((messages) => messages.flat())
