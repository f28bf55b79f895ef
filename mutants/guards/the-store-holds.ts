import { guardsOf } from './guard.ts'

export const theStoreHolds = guardsOf('G11', [
  {
    guard: 'an append is one transaction',
    file: 'stores/sqlite/entries.ts',
    find: 'add({ ...row, session, checksum: checksumOf(session, row) })',
    replace:
      "add({ ...row, session, checksum: checksumOf(session, row) })\n    statements.run('COMMIT')\n    statements.run('BEGIN IMMEDIATE')",
  },
  {
    guard: 'a redaction is one transaction',
    file: 'stores/sqlite/redact-session.ts',
    find: 'replace(placed, by)',
    replace:
      "replace(placed, by)\n      statements.run('COMMIT')\n      statements.run('BEGIN IMMEDIATE')",
    tests: ['stores/sqlite/full.long.test.ts'],
  },
  {
    guard: 'a redaction leaves nothing in the write-ahead log',
    file: 'stores/sqlite/redact-session.ts',
    find: '  await connection.leaveNoTrace()\n}',
    replace: '}',
    tests: ['promises/g11', 'stores/sqlite/leaves-no-trace.long.test.ts'],
  },
  {
    guard: 'a log that a killed process left is emptied',
    file: 'stores/sqlite/connection/connection.ts',
    find: 'if (isLeft) emptyLog(database)',
    replace: '',
    tests: ['stores/sqlite/killed-redaction.long.test.ts'],
  },
  {
    guard: 'an entry that was damaged is not read',
    file: 'stores/sqlite/entries.ts',
    find: 'if (stored.checksum === checksumOf(session, read)) return read',
    replace: 'return read',
    tests: ['stores/sqlite/damaged.long.test.ts'],
  },
  {
    guard: 'what a redaction makes longer is emptied where it was',
    file: 'stores/sqlite/entries.ts',
    find: 'const was = fits ? putOver(statements, placed, stored) : empty(session, [placed])',
    replace: 'const was = fits ? putOver(statements, placed, stored) : true',
    tests: ['stores/sqlite/segments.long.test.ts'],
  },
  {
    guard: 'a full disk keeps no secret',
    file: 'stores/sqlite/connection/connection.ts',
    find: 'releaseSpare(this.file)\n    // With',
    replace: '// With',
    tests: ['stores/sqlite/full.long.test.ts'],
  },
  {
    guard: 'freed pages are zeroed',
    file: 'stores/sqlite/connection/connection.ts',
    find: 'PRAGMA secure_delete = ON; ',
    replace: '',
    tests: ['promises/g11', 'stores/sqlite/leaves-no-trace.long.test.ts'],
  },
  {
    guard: 'writers take the lock before they read',
    file: 'stores/sqlite/connection/connection.ts',
    find: "return this.#transaction(\n      'BEGIN IMMEDIATE',",
    replace: "return this.#transaction(\n      'BEGIN',",
    tests: ['stores/sqlite/concurrency/concurrency.long.test.ts', 'stores/sqlite/together.test.ts'],
  },
  {
    guard: 'a writer waits for another one',
    file: 'stores/sqlite/errors.ts',
    find: 'if (!isInTheWay(error) || performance.now() >= until) throw error',
    replace: 'throw error',
    tests: ['stores/sqlite/concurrency/concurrency.long.test.ts', 'stores/sqlite/together.test.ts'],
  },
  {
    guard: 'what fails is rolled back',
    file: 'stores/sqlite/connection/connection.ts',
    find: "if (this.#database?.isOpen && this.#database.isTransaction) this.#statements?.run('ROLLBACK')",
    replace:
      "if (this.#database?.isOpen && this.#database.isTransaction) this.#statements?.run('COMMIT')",
    tests: ['stores/sqlite/answers.test.ts'],
  },
])

export const offMeansOff = guardsOf('G12', [
  {
    guard: 'no plan without being asked',
    file: 'compaction/plan/gate.ts',
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
    file: 'compaction/plan/gate.ts',
    find: "if (trigger !== 'manual' && !policy.auto)",
    replace: "if (trigger === 'auto' && !policy.auto)",
  },
  {
    guard: 'nothing is prepared in the background',
    file: 'session/compacting/background.ts',
    find: 'if (!policy.auto || this.#closed',
    replace: 'if (this.#closed',
    tests: ['promises/g12', 'session/compacting/background.long.test.ts'],
  },
])

export const redaction = guardsOf('redact', [
  {
    guard: 'a secret goes from every entry that holds it',
    file: 'log/redaction/redaction.ts',
    find: 'const clean = without(entry, secret, sight)',
    replace: 'const clean = entry',
    tests: ['log/redaction/redaction.long.test.ts'],
  },
  {
    guard: 'a secret goes from summaries in pieces too',
    file: 'log/redaction/redaction.ts',
    find: 'if (!isDerived(clean)) return clean',
    replace: 'return clean',
    tests: ['log/redaction/redaction.long.test.ts'],
  },
  {
    guard: 'copies of a redacted part go too',
    file: 'log/redaction/redaction.ts',
    find: 'const clean = without(blankStandIns(blankParts(entry, ref), ref), copies, sight)',
    replace: 'const clean = blankStandIns(blankParts(entry, ref), ref)',
    tests: ['log/redaction/redaction.long.test.ts'],
  },
  {
    guard: 'no summary is committed that was made before a redaction',
    file: 'session/stored-log.ts',
    find: 'changesView(entry) || isRedaction(entry)',
    replace: 'changesView(entry)',
    tests: ['src/session/', 'promises/g01'],
  },
  {
    guard: 'a prepared summary from before a redaction is not used',
    file: 'compaction/prepare/prepared.ts',
    find: "if (context.changedAt !== basis.changedAt || since.some(changesSummarized)) return 'view-changed'",
    replace: '',
    tests: ['compaction/prepare/prepared.test.ts', 'session/compacting/background.long.test.ts'],
  },
])
