import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

describe('the two orders are two types', () => {
  it("`latest` does not compile with the model's order", () => {
    const root = fileURLToPath(new URL('../../../../', import.meta.url))
    const { status, stdout } = spawnSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', '-p', 'packages/throughline/src/log/does-not-compile'],
      { cwd: root, encoding: 'utf8' },
    )
    expect(stdout).toMatch(/latest-of-context\.ts\(7,\d+\): error TS2345/)
    expect(stdout.match(/error TS/g)).toHaveLength(1)
    expect(status).not.toBe(0)
  })
})
