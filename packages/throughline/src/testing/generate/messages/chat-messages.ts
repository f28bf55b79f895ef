import fc from 'fast-check'
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions'

const text = fc.string({ maxLength: 12 })
const id = fc.stringMatching(/^[a-z0-9]{12}$/)
const name = fc.stringMatching(/^[a-z]{1,6}$/)
const breakpoint = fc.constant({ mode: 'explicit' as const })
// JSON has no -0.
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)

const textPart = fc.record(
  { type: fc.constant('text' as const), text, prompt_cache_breakpoint: breakpoint },
  { requiredKeys: ['type', 'text'] },
)

/** Where a medium is: anywhere, or in the URL itself. */
const url = fc.oneof(
  text,
  fc
    .tuple(fc.constantFrom('image/png', 'application/pdf', ''), fc.base64String({ maxLength: 12 }))
    .map(([type, data]) => `data:${type};base64,${data}`),
)

const filePart = fc.record({
  type: fc.constant('file' as const),
  file: fc.record({ file_data: url, file_id: text, filename: text }, { requiredKeys: [] }),
})

const userPart: fc.Arbitrary<ChatCompletionContentPart> = fc.oneof(
  textPart,
  fc.record(
    {
      type: fc.constant('image_url' as const),
      image_url: fc.record(
        { url, detail: fc.constantFrom('low' as const, 'high' as const) },
        { requiredKeys: ['url'] },
      ),
      prompt_cache_breakpoint: breakpoint,
    },
    { requiredKeys: ['type', 'image_url'] },
  ),
  fc.record({
    type: fc.constant('input_audio' as const),
    input_audio: fc.record({
      data: text,
      format: fc.constantFrom('wav', 'mp3', 'mpeg') as fc.Arbitrary<'wav'>,
    }),
  }),
  filePart,
  fc.record({ type: fc.constant('hologram'), depth: json }) as fc.Arbitrary<never>,
)

/** Arguments as models write them: tight, airy, and broken. */
const callArguments = fc.oneof(
  json.map((value) => JSON.stringify(value)),
  json.map((value) => JSON.stringify(value, null, 1)),
  fc.constantFrom('', ' '),
  text,
)

/** What Google's models sign their calls with, and what they may say beside it. */
const extraContent = fc.oneof(
  fc.record({ google: fc.record({ thought_signature: text }) }),
  fc.record({ google: json }),
)

function callOf(id: string): fc.Arbitrary<ChatCompletionMessageToolCall> {
  return fc.oneof(
    fc.record(
      {
        id: fc.constant(id),
        type: fc.constant('function' as const),
        function: fc.record({ name, arguments: callArguments }),
        extra_content: extraContent,
      },
      { requiredKeys: ['id', 'type', 'function'] },
    ),
    // Some servers leave the type out, or the arguments, or give these as an object.
    fc.record({
      id: fc.constant(id),
      function: fc.record({ name, arguments: json }, { requiredKeys: ['name'] }),
    }) as fc.Arbitrary<never>,
    fc.record({
      id: fc.constant(id),
      type: fc.constant('custom' as const),
      custom: fc.record({ name, input: text }),
    }),
    fc.record({
      id: fc.constant(id),
      type: fc.constant('other'),
      more: json,
    }) as fc.Arbitrary<never>,
  )
}

/** Blocks of Anthropic's, which LiteLLM gives beside the content, and others in it. */
const thinking = fc.oneof(
  fc.record({ type: fc.constant('thinking'), thinking: text, signature: text }),
  fc.record({ type: fc.constant('thinking'), thinking: text }),
  fc.record({ type: fc.constant('redacted_thinking'), data: text }),
)

const assistantFields = fc.record(
  {
    content: fc.oneof(
      text,
      fc.constant(null),
      fc.array(
        fc.oneof(
          textPart,
          fc.record({ type: fc.constant('refusal' as const), refusal: text }),
          thinking as fc.Arbitrary<never>,
        ),
        { maxLength: 3 },
      ),
    ),
    refusal: fc.oneof(fc.constant(null), text),
    name,
    audio: fc.constantFrom(null, { id: 'heard' }),
    reasoning_content: text,
    thinking_blocks: fc.array(thinking, { maxLength: 2 }),
    reasoning_details: fc.array(fc.record({ type: fc.constant('reasoning.text'), text }), {
      maxLength: 2,
    }),
    annotations: fc.constant([]),
  },
  { requiredKeys: [] },
)

const toolContent = fc.oneof(
  text,
  text.map((said) => `[The call failed.]\n${said}`),
  fc.array(textPart, { maxLength: 2 }),
)

const step: fc.Arbitrary<ChatCompletionMessageParam[]> = fc
  .tuple(assistantFields, fc.uniqueArray(id, { minLength: 1, maxLength: 3 }))
  .chain(([fields, ids]) =>
    fc
      .tuple(fc.tuple(...ids.map(callOf)), fc.tuple(...ids.map(() => toolContent)))
      .map(([tool_calls, contents]): ChatCompletionMessageParam[] => [
        { ...fields, role: 'assistant', tool_calls },
        ...ids.map((tool_call_id, index) => ({
          role: 'tool' as const,
          tool_call_id,
          content: contents[index] ?? '',
        })),
      ]),
  )

const olderStep: fc.Arbitrary<ChatCompletionMessageParam[]> = fc
  .record({ name, arguments: callArguments, result: fc.oneof(text, fc.constant(null)) })
  .map(({ result, ...function_call }) => [
    { role: 'assistant', content: null, function_call },
    { role: 'function', name: function_call.name, content: result },
  ])

const prompt = fc.oneof(text, fc.array(textPart, { maxLength: 2 }))

const message: fc.Arbitrary<ChatCompletionMessageParam> = fc.oneof(
  fc.record(
    {
      role: fc.constant('user' as const),
      content: fc.oneof(text, fc.array(userPart, { maxLength: 3 })),
      name,
    },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.record(
    { role: fc.constantFrom('system' as const, 'developer' as const), content: prompt, name },
    { requiredKeys: ['role', 'content'] },
  ),
  assistantFields.map((fields) => ({ ...fields, role: 'assistant' as const })),
)

/** Conversations of Chat Completions with every kind of part that its types can say. */
export const chatConversation: fc.Arbitrary<ChatCompletionMessageParam[]> = fc
  .array(
    fc.oneof(
      message.map((one) => [one]),
      step,
      olderStep,
    ),
    { maxLength: 6 },
  )
  .map((messages) => messages.flat())
