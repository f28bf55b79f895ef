import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('can be read without becoming a hook, which would end the process', () => {
  const own = new URL('compact-prompt.ts', import.meta.url).href
  const installing = new URL('../../cli/installed/of/codex.ts', import.meta.url).href
  const script = `await import('${own}'); await import('${installing}'); console.log('goes on')`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    input: '',
  })
  expect(printed).toBe('goes on\n')
})
