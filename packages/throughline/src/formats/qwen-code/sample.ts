type Fields = Record<string, unknown>

let number = 0

function record(type: string, fields: Fields, parent = `q${number}`): Fields {
  number++
  return {
    uuid: `q${number}`,
    parentUuid: number === 1 ? null : parent,
    sessionId: 's',
    timestamp: `2026-11-22T03:04:${String(number).padStart(2, '0')}.000Z`,
    type,
    cwd: '/code',
    version: '0.24.4',
    ...fields,
  }
}

function user(parts: Fields[], fields: Fields = {}): Fields {
  return record('user', { message: { role: 'user', parts }, provenance: 'real_user', ...fields })
}

function reply(parts: Fields[]): Fields {
  const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 2, totalTokenCount: 12 }
  const message = { role: 'model', parts }
  return record('assistant', { model: 'qwen-x', message, usageMetadata, contextWindowSize: 60_000 })
}

function call(id: string): Fields {
  return { functionCall: { id, name: 'read_file', args: { file_path: '/a' } } }
}

function result(id: string, response: Fields, status = 'success', media: Fields[] = []): Fields {
  const functionResponse = { id, name: 'read_file', response }
  const message = { role: 'user', parts: [{ functionResponse }, ...media] }
  return record('tool_result', { message, toolCallResult: { callId: id, status } })
}

function system(subtype: string, systemPayload: Fields): Fields {
  return record('system', { subtype, provenance: 'system', systemPayload })
}

const image = { inlineData: { mimeType: 'image/png', data: 'AA==' } }
const reminder = { text: '<system-reminder>\nThe date.\n</system-reminder>' }

const asked = user([{ text: 'Read @a.' }, image])
const snapshot = system('attribution_snapshot', { snapshot: {} })
const calls = reply([{ text: 'Hm.', thought: true }, { text: 'I read.' }, call('c1'), call('c2')])

export const qwenCodeRecords: readonly object[] = [
  asked,
  snapshot,
  calls,
  system('ui_telemetry', { uiEvent: { 'event.name': 'qwen-code.tool_call' } }),
  result('c1', { output: 'a long text' }, 'success', [image]),
  result('c2', { error: 'no' }, 'error'),
  user([{ text: 'Faster.' }], { subtype: 'mid_turn_user_message' }),
  reply([{ text: 'I did.' }]),
  user([{ text: '<task-notification>done</task-notification>' }], {
    subtype: 'notification',
    provenance: 'system',
  }),
  system('chat_compression', {
    info: { originalTokenCount: 30_000, newTokenCount: 9000, compressionStatus: 1 },
    compressedHistory: [
      { role: 'user', parts: [{ text: '<state_snapshot>It did.</state_snapshot>' }] },
      { role: 'model', parts: [{ text: 'Got it. Thanks for the additional context!' }] },
      { role: 'user', parts: [{ text: 'Recently accessed file (embedded):\n\n## /a' }] },
      { role: 'model', parts: [call('c1'), call('c2')] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', response: { output: 'x' } } }] },
      { role: 'user', parts: [reminder, { text: 'Faster.' }] },
    ],
  }),
  user([{ text: 'Wrong.' }]),
  record('system', { subtype: 'rewind', systemPayload: {} }, 'q10'),
  user([reminder, { text: 'And now?' }]),
]
