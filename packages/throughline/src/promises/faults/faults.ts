import { summaryFaults } from './summary-faults.ts'
import type { Fault, Answering } from './fault.ts'
import { emptyBody, noJson, page, unnamedAtProxy } from './bodies.ts'
import type { ServedAnswer } from '../../testing/provider/index.ts'

// Far above the provider's limit: the session learns the limit from the rejection.
const believed = 200_000

/** Once, in the sixth request: by then there is something to lose. */
function once(fault: ServedAnswer): Answering {
  return ({ number, answer }) => (number === 6 ? { ...answer, ...fault } : answer)
}

function always(fault: ServedAnswer): Answering {
  return ({ answer }) => ({ ...answer, ...fault })
}

const tooManyBytes = {
  statusCode: 413,
  responseBody:
    '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
}

const soon = { retryAfter: 1 }
// Milliseconds: far longer than any answer that arrives at all takes here.
const patience = { timeout: { stepMs: 15_000 } }
// Without a header that says how long to wait, the SDK retries after seconds.
const noRetries = { maxRetries: 0 }

/** What a provider can do to the agent's own requests. */
const agentFaults: readonly Fault[] = [
  {
    name: 'overflow on the first call of a resumed session',
    resumed: true,
    window: believed,
    rules: { window: 8_000 },
  },
  {
    name: 'overflow on one call',
    window: believed,
    agent: once({ refuses: 'overflow' }),
  },
  {
    name: 'overflow inside a stream that has begun',
    window: believed,
    agent: once({ refuses: 'overflow', late: true }),
  },
  {
    name: 'overflow on every call above 8,000 tokens',
    window: believed,
    rules: { window: 8_000 },
  },
  {
    name: 'overflow on every call, however small',
    window: believed,
    agent: always({ refuses: 'overflow' }),
  },
  { name: 'HTTP 413, too many bytes, once', agent: once({ error: tooManyBytes }) },
  { name: '429 with retry-after, once', agent: once({ refuses: 'rate-limit', ...soon }) },
  { name: '429 with retry-after, every time', agent: always({ refuses: 'rate-limit', ...soon }) },
  { name: '500, once', agent: once({ refuses: 'failure', ...soon }) },
  { name: '500, every time', agent: always({ refuses: 'failure', ...soon }) },
  { name: '529 or 503, once', agent: once({ refuses: 'overloaded', ...soon }) },
  { name: '529 or 503, every time', agent: always({ refuses: 'overloaded', ...soon }) },
  {
    name: 'the API key is rejected',
    agent: always({ error: { statusCode: 401, message: 'invalid x-api-key' } }),
  },
  { name: '403', agent: always({ error: { statusCode: 403, message: 'Forbidden' } }) },
  { name: 'a model that the provider does not have', agent: always({ refuses: 'model' }) },
  {
    name: '400 that is no overflow',
    agent: always({ error: { statusCode: 400, message: 'max_tokens is not supported' } }),
  },
  {
    name: '408, once',
    step: noRetries,
    agent: once({ error: { statusCode: 408, message: 'Request timeout' } }),
  },
  { name: '425, once', agent: once({ error: { statusCode: 425, message: 'Too Early' } }) },
  { name: '407, every time', agent: always({ sends: unnamedAtProxy }) },
  {
    name: '429 without retry-after, once',
    step: noRetries,
    agent: once({ refuses: 'rate-limit' }),
  },
  { name: 'an HTML page, once', step: noRetries, agent: once({ sends: page }) },
  { name: 'an empty body, once', step: noRetries, agent: once({ sends: emptyBody }) },
  { name: 'a body that is no JSON, once', step: noRetries, agent: once({ sends: noJson }) },
  {
    name: 'the connection breaks in the middle of an answer',
    step: noRetries,
    agent: once({ breaks: true }),
  },
  {
    name: 'no answer comes',
    step: patience,
    agent: once({ hangs: 'before' }),
  },
  {
    name: 'an answer stops halfway',
    step: patience,
    agent: once({ hangs: 'after-text' }),
  },
  { name: 'the answer reaches its length limit', agent: once({ finish: 'length', calls: [] }) },
  {
    name: 'usage over the limit right after a compaction',
    agent: ({ answer, afterSummary }) =>
      afterSummary ? { ...answer, usage: { input: 50_000 } } : answer,
  },
  { name: 'usage of zero', agent: always({ usage: { input: 0, output: 0 } }) },
  { name: 'no usage', agent: always({ usage: 'none' }) },
  { name: 'usage of a trillion tokens', agent: always({ usage: { input: 1e12, output: 1e12 } }) },
  {
    name: 'thinking that is bound to its context',
    thinks: true,
    wires: ['anthropic'],
    rules: { bindsThinking: true },
  },
  {
    name: 'thinking that is demanded of each call in the loop',
    thinks: true,
    wires: ['anthropic'],
    rules: { demandsThinking: true },
  },
  {
    name: 'thinking that is demanded, and bound to what it answered',
    thinks: true,
    wires: ['anthropic'],
    rules: { bindsThinking: true, demandsThinking: true },
  },
]

/** Every row of the table, in its order. */
export const faults: readonly Fault[] = [{ name: 'none' }, ...agentFaults, ...summaryFaults]
