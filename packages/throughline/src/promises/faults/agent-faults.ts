import type { Answering, Fault } from './fault.ts'
import type { ServedAnswer } from '../../testing/provider/index.ts'

// Far above what the provider takes: the session learns it from the refusal.
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
// Milliseconds: far more than any answer takes here that comes at all.
const patience = { timeout: { stepMs: 15_000 } }
// What has no header to say how long, the SDK tries again after seconds.
const noRetries = { maxRetries: 0 }

/** What a provider can do to the agent's own requests. */
export const agentFaults: readonly Fault[] = [
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
  { name: '429 with retry-after, for ever', agent: always({ refuses: 'rate-limit', ...soon }) },
  { name: '500, once', agent: once({ refuses: 'failure', ...soon }) },
  { name: '500, for ever', agent: always({ refuses: 'failure', ...soon }) },
  { name: '529 or 503, once', agent: once({ refuses: 'overloaded', ...soon }) },
  { name: '529 or 503, for ever', agent: always({ refuses: 'overloaded', ...soon }) },
  {
    name: 'the key is refused',
    agent: always({ error: { statusCode: 401, message: 'invalid x-api-key' } }),
  },
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
    name: 'an answer stops in its middle',
    step: patience,
    agent: once({ hangs: 'after-text' }),
  },
  { name: 'the answer runs into its limit', agent: once({ finish: 'length', calls: [] }) },
  {
    name: 'usage over the limit right after a compaction',
    agent: ({ answer, afterSummary }) =>
      afterSummary ? { ...answer, usage: { input: 50_000 } } : answer,
  },
  { name: 'usage of zero', agent: always({ usage: { input: 0, output: 0 } }) },
  { name: 'no usage', agent: always({ usage: 'none' }) },
  { name: 'usage of a trillion tokens', agent: always({ usage: { input: 1e12, output: 1e12 } }) },
  {
    name: 'thinking that is bound to what it answered',
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
