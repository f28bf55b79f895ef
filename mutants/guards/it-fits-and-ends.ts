import { guardsOf } from './guard.ts'

export const itFits = guardsOf('G2', [
  {
    guard: 'the floor is checked before any call',
    file: 'compaction/plan/plan-compaction.ts',
    find: 'if (floor.total > budget.usable) {',
    replace: 'if (false) {',
  },
  {
    guard: 'the latest request counts as floor',
    file: 'compaction/plan/floor.ts',
    find: 'request: toModel(request, ratio),',
    replace: 'request: modelTokens(0),',
  },
  {
    guard: 'the latest request counts behind an image too',
    file: 'compaction/cut/cut.ts',
    find: '[...new Set([newest, request])]',
    replace: '[newest]',
  },
  {
    guard: 'system prompt and tools count as floor',
    file: 'compaction/plan/floor.ts',
    find: 'const { system, tools } = measureFrame(frame, counter)',
    replace: 'const { system, tools } = { ...measureFrame(frame, counter), system: 0, tools: 0 }',
  },
  {
    guard: 'a context that no rung makes fit is an error, not a request',
    file: 'compaction/compact.ts',
    find: "if (plan.trigger !== 'manual' && before >= usable) {",
    replace: 'if (false) {',
  },
  {
    guard: 'the gate compacts at the threshold',
    file: 'compaction/plan/gate.ts',
    find: 'measurement.tokens < budget.threshold',
    replace: 'measurement.tokens < budget.threshold * 1.5',
  },
])

export const itEnds = guardsOf('G3', [
  {
    guard: 'at most four attempts',
    file: 'compaction/summary/with-model/summarize-with-model.ts',
    find: 'next && attempts.length < policy.attempts',
    replace: 'next',
  },
  {
    guard: 'a rung must make the context smaller',
    file: 'compaction/rungs.ts',
    find: 'if (!made || made.after >= (best?.after ?? before)) continue',
    replace: 'if (!made) continue',
  },
  {
    guard: 'three failures keep the next compactions from the model',
    file: 'compaction/ask-model.ts',
    find: 'if (circuitBreakerIsOpen(options.circuitBreaker, input.policy.breaker)) return undefined',
    replace: '',
    tests: ['promises/g03', 'promises/g06'],
  },
  {
    guard: 'the breaker closes after ten compactions',
    file: 'compaction/summary/with-model/circuit-breaker.ts',
    find: ' && paused <= limits.pause',
    replace: '',
    tests: ['promises/g03', 'promises/g06'],
  },
  {
    guard: 'pruning alone only where it reaches the low-water mark',
    file: 'compaction/prune/prune.ts',
    find: 'return freed >= input.need && freed > 0',
    replace: 'return freed > 0',
  },
  {
    guard: 'the low-water mark stays below the threshold',
    file: 'compaction/plan/budget.ts',
    find: 'least(modelTokens(policy.lowWater(usable)), share(threshold, highestMark))',
    replace: 'modelTokens(policy.lowWater(usable))',
    tests: ['promises/g03', 'promises/g05'],
  },
  {
    guard: 'a usage that cannot be explained is not believed',
    file: 'compaction/measure/measure.ts',
    find: 'if (!explained) return estimate',
    replace: '',
  },
  {
    guard: 'a refused request is tried once more, not for ever',
    file: 'session/loop/refusals.ts',
    find: 'if (recovered) throw refusedAgain(session, refused)',
    replace: '',
    tests: ['promises/g03'],
  },
])
