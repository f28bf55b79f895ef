import { guardsOf } from './guard.ts'

export const theStoreHolds = guardsOf('G11', [
  {
    guard: 'an append is one transaction',
    file: 'stores/sqlite/sqlite-store.ts',
    find: 'for (const row of placed) addRow(statements, stored.number, row)',
    replace:
      "for (const row of placed) {\n      addRow(statements, stored.number, row)\n      noteWritten(statements, stored)\n      statements.run('COMMIT')\n      statements.run('BEGIN IMMEDIATE')\n    }",
  },
  {
    guard: 'a redaction is one transaction',
    file: 'stores/sqlite/sqlite-store.ts',
    find: 'makeTables(statements, number)\n  for (const row of rowsOf(statements, found.number)) {',
    replace:
      "makeTables(statements, number)\n  statements.run('COMMIT')\n  statements.run('BEGIN IMMEDIATE')\n  for (const row of rowsOf(statements, found.number)) {",
  },
  {
    guard: 'a redaction leaves nothing in the write-ahead log',
    file: 'stores/sqlite/sqlite-store.ts',
    find: '// Even if nothing changed: an earlier redaction may have been interrupted here.\n  connection.leaveNoTrace()',
    replace: '',
    tests: ['promises/g11', 'stores/sqlite/leaves-no-trace.test.ts'],
  },
  {
    guard: 'freed pages are zeroed',
    file: 'stores/sqlite/connection.ts',
    find: 'PRAGMA secure_delete = ON; ',
    replace: '',
    tests: ['promises/g11', 'stores/sqlite/leaves-no-trace.test.ts'],
  },
  {
    guard: 'writers take the lock before they read',
    file: 'stores/sqlite/connection.ts',
    find: "return this.#transaction('BEGIN IMMEDIATE', (statements) => {",
    replace: "return this.#transaction('BEGIN', (statements) => {",
    tests: ['stores/sqlite/concurrency/concurrency.test.ts', 'stores/sqlite/together.test.ts'],
  },
  {
    guard: 'a writer waits for another one',
    file: 'stores/sqlite/connection.ts',
    find: 'PRAGMA busy_timeout = ${Math.floor(busyTimeout)};',
    replace: 'PRAGMA busy_timeout = 0;',
    tests: ['stores/sqlite/concurrency/concurrency.test.ts', 'stores/sqlite/together.test.ts'],
  },
  {
    guard: 'what fails is rolled back',
    file: 'stores/sqlite/connection.ts',
    find: "if (this.#database.isOpen && this.#database.isTransaction) this.#statements.run('ROLLBACK')",
    replace:
      "if (this.#database.isOpen && this.#database.isTransaction) this.#statements.run('COMMIT')",
    tests: ['stores/sqlite/'],
  },
])

export const offMeansOff = guardsOf('G12', [
  {
    guard: 'no plan without being asked',
    file: 'compaction/plan/plan.ts',
    find: "if (trigger !== 'manual' && !policy.auto) return { ...base, action: 'none', reason: 'off' }",
    replace: '',
  },
  {
    guard: 'a provider’s overflow is handed on',
    file: 'session/loop/recover-once.ts',
    find: 'if (!session.policy.auto) {',
    replace: 'if (false) {',
  },
  {
    guard: 'off is off for an overflow too',
    file: 'compaction/plan/plan.ts',
    find: "if (trigger !== 'manual' && !policy.auto)",
    replace: "if (trigger === 'auto' && !policy.auto)",
  },
  {
    guard: 'nothing is prepared in the background',
    file: 'session/compacting/background.ts',
    find: 'if (!policy.auto || this.#closed',
    replace: 'if (this.#closed',
    tests: ['promises/g12', 'session/compacting/background.test.ts'],
  },
])

export const redaction = guardsOf('redact', [
  {
    guard: 'a secret goes from every entry that holds it',
    file: 'log/redaction/redaction.ts',
    find: 'const clean = without(entry, secret)',
    replace: 'const clean = entry',
    tests: ['log/redaction/redaction.test.ts'],
  },
  {
    guard: 'a secret goes from summaries in pieces too',
    file: 'log/redaction/redaction.ts',
    find: 'if (!isDerived(clean)) return clean',
    replace: 'return clean',
    tests: ['log/redaction/redaction.test.ts'],
  },
  {
    guard: 'copies of a redacted part go too',
    file: 'log/redaction/redaction.ts',
    find: 'const clean = without(blankStandIns(blankParts(entry, ref), ref), copies)',
    replace: 'const clean = blankStandIns(blankParts(entry, ref), ref)',
    tests: ['log/redaction/redaction.test.ts'],
  },
  {
    guard: 'no summary is committed that was made before a redaction',
    file: 'session/compacting/check-base.ts',
    find: 'changesView(entry) || isRedaction(entry)',
    replace: 'changesView(entry)',
    tests: ['src/session/', 'promises/g01'],
  },
  {
    guard: 'a prepared summary from before a redaction is not used',
    file: 'compaction/prepare/prepared.ts',
    find: "if (context.changedAt !== basis.changedAt || since.some(changesSummarized)) return 'view-changed'",
    replace: '',
    tests: ['compaction/prepare/prepared.test.ts', 'session/compacting/background.test.ts'],
  },
])
