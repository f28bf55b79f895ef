import fc from 'fast-check'
import type { AgentItem } from '../../../wires/openai-agents/contents.ts'
import type { LlamaIndexMessage } from '../../../wires/llamaindex/contents.ts'

const text = fc.string({ maxLength: 12 })
const id = fc.stringMatching(/^[a-z0-9]{12}$/)
const name = fc.stringMatching(/^[a-z]{1,6}$/)
const data = fc.base64String({ minLength: 4, maxLength: 12 })
// JSON has no -0.
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const object = fc.dictionary(name, json, { maxKeys: 3 })
type Fields = Record<string, unknown>

/** A record in which only some keys are required. */
function record(
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Fields> {
  const model: Record<string, fc.Arbitrary<unknown>> = { ...required, ...optional }
  return fc.record(model, { requiredKeys: Object.keys(required) })
}

function typed(
  type: string,
  required: Record<string, fc.Arbitrary<unknown>> = {},
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Fields> {
  return record({ type: fc.constant(type), ...required }, optional)
}

const providerData = object
const url = fc.oneof(
  text,
  data.map((base64) => `data:image/png;base64,${base64}`),
)
const status = fc.constantFrom('in_progress', 'completed', 'incomplete')

const inputPart = fc.oneof(
  typed('input_text', { text }, { providerData }),
  typed('input_image', {}, { image: fc.oneof(url, record({ id })), detail: text, providerData }),
  typed('input_file', {}, { file: fc.oneof(url, record({ url })), filename: text }),
  typed('audio', { audio: text }, { format: text, transcript: fc.constant(null) }),
)

const agentSaid = fc.oneof(
  record(
    { role: fc.constant('user'), content: fc.oneof(text, fc.array(inputPart, { maxLength: 3 })) },
    { type: fc.constant('message'), id, providerData },
  ),
  record({ role: fc.constant('system'), content: text }, { type: fc.constant('message') }),
  record(
    {
      role: fc.constant('assistant'),
      status,
      content: fc.array(
        fc.oneof(
          typed('output_text', { text }, { providerData }),
          typed('refusal', { refusal: text }),
          typed('image', { image: text }),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    },
    { type: fc.constant('message'), id, providerData, phase: fc.constant('commentary') },
  ),
  typed(
    'reasoning',
    { content: fc.array(typed('input_text', { text }), { maxLength: 2 }) },
    { id, providerData, rawContent: fc.array(typed('reasoning_text', { text }), { maxLength: 1 }) },
  ),
  typed('hosted_tool_call', { name }, { id, arguments: text, output: text, status }),
  typed('tool_search_call', { arguments: json }, { id, callId: fc.constant(null) }),
  typed('tool_search_output', { tools: fc.array(object, { maxLength: 1 }) }, { id }),
  typed('program', { callId: id, code: text, fingerprint: text }),
  typed('program_output', { callId: id, output: text, status }),
  typed('compaction', { encrypted_content: text }, { id }),
  typed('unknown', {}, { id, providerData }),
)

const agentOutput = fc.oneof(
  text,
  text.map((value) => `[The call failed.]\n${value}x`),
  typed('text', { text }, { providerData }),
  typed('image', { image: text }),
  fc.array(
    inputPart.filter(({ type }) => type !== 'audio'),
    { maxLength: 2 },
  ),
)

const agentCall = fc.oneof(
  fc
    .tuple(
      id,
      name,
      fc.oneof(
        text,
        object.map((value) => JSON.stringify(value)),
      ),
    )
    .chain(([callId, called, args]) =>
      fc.tuple(
        typed(
          'function_call',
          {
            callId: fc.constant(callId),
            name: fc.constant(called),
            arguments: fc.constant(args),
          },
          { id, status, providerData, namespace: name },
        ),
        typed(
          'function_call_result',
          {
            callId: fc.constant(callId),
            name: fc.constant(called),
            status,
            output: agentOutput,
          },
          { id, providerData },
        ),
      ),
    ),
  id.chain((callId) =>
    fc.tuple(
      typed('shell_call', {
        callId: fc.constant(callId),
        action: record({ commands: fc.array(text, { maxLength: 2 }) }),
      }),
      typed('shell_call_output', {
        callId: fc.constant(callId),
        output: fc.array(record({ stdout: text, stderr: text, outcome: typed('timeout') }), {
          maxLength: 2,
        }),
      }),
    ),
  ),
  id.chain((callId) =>
    fc.tuple(
      typed('computer_call', { callId: fc.constant(callId), action: typed('screenshot'), status }),
      typed('computer_call_result', {
        callId: fc.constant(callId),
        output: typed('computer_screenshot', { data: text }),
      }),
    ),
  ),
  id.chain((callId) =>
    fc.tuple(
      typed('apply_patch_call', {
        callId: fc.constant(callId),
        operation: typed('delete_file', { path: text }),
        status,
      }),
      typed(
        'apply_patch_call_output',
        { callId: fc.constant(callId), status: fc.constantFrom('completed', 'failed') },
        { output: text },
      ),
    ),
  ),
)

/** Items of the Agents SDK, whole calls with their results. */
export const agentItems: fc.Arbitrary<AgentItem[]> = fc
  .array(
    fc.oneof(
      agentSaid.map((one) => [one]),
      agentCall,
    ),
    { maxLength: 6 },
  )
  .map((all) => all.flat() as AgentItem[])

const llamaPart = fc.oneof(
  typed('text', { text }),
  typed('image_url', { image_url: record({ url }) }, { detail: fc.constant('low') }),
  typed('image', { data, mimeType: fc.constant('image/png') }),
  typed('audio', { data, mimeType: fc.constant('audio/wav') }),
  typed('file', { data, mimeType: fc.constant('application/pdf') }),
)

const llamaSaid = fc.oneof(
  record(
    { role: fc.constant('user'), content: fc.oneof(text, fc.array(llamaPart, { maxLength: 3 })) },
    { options: object },
  ),
  record({ role: fc.constantFrom('system', 'developer', 'memory'), content: text }),
  record(
    {
      role: fc.constant('assistant'),
      content: fc.oneof(text, fc.array(typed('text', { text }), { maxLength: 2 })),
    },
    { options: object },
  ),
)

const llamaCalls = fc
  .array(
    fc.tuple(
      id,
      name,
      fc.oneof(
        object,
        object.map((value) => JSON.stringify(value)),
      ),
    ),
    {
      minLength: 1,
      maxLength: 2,
    },
  )
  .chain((calls) =>
    fc.tuple(
      record({
        role: fc.constant('assistant'),
        content: text,
        options: fc.constant({
          toolCall: calls.map(([callId, called, input]) => ({ id: callId, name: called, input })),
        }),
      }),
      ...calls.map(([callId]) =>
        fc.tuple(fc.oneof(text, json), fc.boolean()).map(([result, isError]): Fields => ({
          role: 'user',
          content: typeof result === 'string' ? result : 'see the result',
          options: { toolResult: { id: callId, result, isError } },
        })),
      ),
    ),
  )

/** Messages of LlamaIndex, whole calls with their results. */
export const llamaindexMessages: fc.Arbitrary<LlamaIndexMessage[]> = fc
  .array(
    fc.oneof(
      llamaSaid.map((one) => [one]),
      llamaCalls,
    ),
    { maxLength: 6 },
  )
  .map((all) => all.flat() as unknown as LlamaIndexMessage[])
