import fc from 'fast-check'
import type { ResponseInputItem } from 'openai/resources/responses/responses'

const text = fc.string({ maxLength: 12 })
const id = fc.stringMatching(/^[a-z0-9]{12}$/)
const name = fc.stringMatching(/^[a-z]{1,6}$/)
// JSON has no -0.
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const status = fc.constantFrom('in_progress', 'completed', 'incomplete')
type Item = Record<string, unknown>

function item(
  type: string,
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Item> {
  const model: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.constant(type),
    ...required,
    ...optional,
  }
  return fc.record(model, {
    requiredKeys: ['type', ...Object.keys(required)],
  }) as fc.Arbitrary<Item>
}

/** Where a medium is: anywhere, or in the URL itself. */
const url = fc.oneof(
  text,
  fc
    .tuple(fc.constantFrom('image/png', 'application/pdf', ''), fc.base64String({ maxLength: 12 }))
    .map(([type, data]) => `data:${type};base64,${data}`),
)

const content = fc.array(
  fc.oneof(
    item('input_text', { text }, { prompt_cache_breakpoint: fc.constant({ mode: 'explicit' }) }),
    item(
      'input_image',
      { detail: fc.constantFrom('low', 'auto') },
      { image_url: fc.oneof(url, fc.constant(null)), file_id: fc.oneof(text, fc.constant(null)) },
    ),
    item(
      'input_file',
      {},
      {
        file_data: url,
        file_url: url,
        file_id: text,
        filename: text,
        detail: fc.constant('low'),
      },
    ),
  ),
  { maxLength: 3 },
)

const annotation = fc.constant({
  type: 'url_citation',
  url: 'https://a.test',
  title: 'A',
  start_index: 0,
  end_index: 1,
})

const said: fc.Arbitrary<Item> = fc.oneof(
  fc.record(
    {
      role: fc.constantFrom('user', 'system', 'developer'),
      content: fc.oneof(text, content),
      type: fc.constant('message'),
      status,
    },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.record(
    {
      role: fc.constant('assistant'),
      content: fc.oneof(text, content),
      type: fc.constant('message'),
      phase: fc.constantFrom(null, 'commentary'),
    },
    { requiredKeys: ['role', 'content'] },
  ),
  item(
    'message',
    {
      id,
      role: fc.constant('assistant'),
      status,
      content: fc.array(
        fc.oneof(
          item(
            'output_text',
            { text, annotations: fc.array(annotation, { maxLength: 1 }) },
            { logprobs: fc.constant([]) },
          ),
          item('refusal', { refusal: text }),
        ),
        { maxLength: 3 },
      ),
    },
    { phase: fc.constantFrom(null, 'final_answer') },
  ),
)

/** What the model or the provider puts there, and nobody answers. */
const alone: fc.Arbitrary<Item> = fc.oneof(
  item(
    'reasoning',
    { id, summary: fc.array(item('summary_text', { text }), { maxLength: 2 }) },
    {
      content: fc.array(item('reasoning_text', { text }), { maxLength: 2 }),
      encrypted_content: fc.oneof(text, fc.constant(null)),
      status,
    },
  ),
  item('file_search_call', { id, queries: fc.array(text), status }, { results: json }),
  item('web_search_call', { id, status, action: json }),
  item('image_generation_call', { id, result: fc.constantFrom(null, 'AAAA'), status }),
  item('code_interpreter_call', { id, code: text, container_id: text, outputs: json, status }),
  item('mcp_list_tools', { id, server_label: text, tools: fc.constant([]) }),
  item(
    'mcp_call',
    { id, arguments: text, name, server_label: text },
    { output: text, error: fc.oneof(text, json), status },
  ),
  item('tool_search_call', { arguments: json }, { call_id: fc.constant(null), status }),
  item('tool_search_output', { tools: fc.constant([]) }, { call_id: fc.constant(null) }),
  item('program', { id, call_id: id, code: text, fingerprint: text }),
  item('program_output', { id, call_id: id, result: text, status }),
  item('item_reference', { id }),
  fc.record({ id }),
  item('compaction', { encrypted_content: text }, { id: fc.oneof(id, fc.constant(null)) }),
  item('compaction_trigger', {}),
  item('configuration_update', {}, { reasoning: json }),
  item('additional_tools', { role: fc.constant('developer'), tools: fc.constant([]) }),
  item('function_call_output', { output: text }, { name }),
  item('hologram', { depth: json }),
)

/** Outputs as tools give them: bare, marked, and in Codex's envelope, tight and airy. */
const output = fc.oneof(
  text,
  text.map((said) => `[The call failed.]\n${said}`),
  fc.tuple(text, fc.nat(1), fc.constantFrom(undefined, 1)).map(([output, exit_code, space]) => {
    return JSON.stringify({ output, metadata: { exit_code } }, null, space)
  }),
  text.map((said) => `{"output": ${JSON.stringify(said)}, "metadata": {"exit_code": 1}}`),
  // As Python writes it.
  fc.constant('{"output": "\\u00e9", "metadata": {"exit_code": 1}}'),
  content,
)

const optionalId = { id: fc.oneof(id, fc.constant(null)), status }
const call_id = fc.constant('')

/** Calls and their outputs, whose ids are put in afterwards. */
const pairs: readonly fc.Arbitrary<readonly [Item, Item]>[] = [
  fc.tuple(
    item(
      'function_call',
      {
        call_id,
        name,
        arguments: fc.oneof(
          json.map((value) => JSON.stringify(value)),
          json.map((value) => JSON.stringify(value, null, 1)),
          fc.constant(''),
          text,
        ),
      },
      { id, status, namespace: name, async: fc.boolean() },
    ),
    item('function_call_output', { call_id, output }, optionalId),
  ),
  fc.tuple(
    item('custom_tool_call', { call_id, name, input: text }, { id, namespace: name }),
    item('custom_tool_call_output', { call_id, output }, { id }),
  ),
  fc.tuple(
    item('computer_call', {
      id,
      call_id,
      pending_safety_checks: fc.constant([]),
      status,
      action: json,
    }),
    item('computer_call_output', {
      call_id,
      output: fc.constant({ type: 'computer_screenshot', image_url: 'data:image/png;base64,AA' }),
    }),
  ),
  fc.tuple(
    item('local_shell_call', { id, call_id, action: json, status }),
    item('local_shell_call_output', { id: call_id, output: text }),
  ),
  fc.tuple(
    item('shell_call', { call_id, action: json }, optionalId),
    item('shell_call_output', { call_id, output: fc.array(json, { maxLength: 2 }) }, optionalId),
  ),
  fc.tuple(
    item('apply_patch_call', { call_id, operation: json, status }),
    item(
      'apply_patch_call_output',
      { call_id, status },
      { output: fc.oneof(text, fc.constant(null)) },
    ),
  ),
  fc.tuple(
    item('tool_search_call', { call_id, arguments: json, execution: fc.constant('client') }),
    item('tool_search_output', {
      call_id,
      tools: fc.constant([]),
      execution: fc.constant('client'),
    }),
  ),
  fc.tuple(
    item('mcp_approval_request', { id: call_id, arguments: text, name, server_label: text }),
    item('mcp_approval_response', { approval_request_id: call_id, approve: fc.boolean() }),
  ),
]

const keys = ['call_id', 'approval_request_id']

const step: fc.Arbitrary<Item[]> = fc
  .tuple(
    fc.array(fc.oneof(alone, said), { maxLength: 2 }),
    fc.array(fc.oneof(...pairs), { minLength: 1, maxLength: 3 }),
    fc.uniqueArray(id, { minLength: 3, maxLength: 3 }),
  )
  .map(([before, calls, ids]) => [
    ...before,
    ...calls.map(([call], index) => withId(call, ids[index])),
    ...calls.map(([, output], index) => withId(output, ids[index])),
  ])

function withId(item: Item, id: string | undefined): Item {
  const key = keys.find((name) => name in item) ?? 'id'
  return { ...item, [key]: id }
}

/** Input of the Responses API with every kind of item that its types can say. */
export const responsesInput: fc.Arbitrary<ResponseInputItem[]> = fc
  .array(
    fc.oneof(
      said.map((one) => [one]),
      alone.map((one) => [one]),
      step,
    ),
    { maxLength: 6 },
  )
  .map((items) => items.flat() as unknown as ResponseInputItem[])
