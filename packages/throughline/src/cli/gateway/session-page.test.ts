import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { memoryStore, openSession } from '../../index.ts'
import { pageModule } from './gateway-package.ts'
import { sessionPage } from './session-page.ts'
import type { Chronological } from '../../log/order.ts'

const hasPage = existsSync(new URL('../../../dist/report-page.html', import.meta.url))

it.skipIf(!hasPage)('a gateway’s session has the page of throughline report', async () => {
  const store = memoryStore()
  const session = await openSession({ store, id: 'gw-1', window: { context: 9_000 } })
  await session.say('Never edit </script> main.ts.')
  await session.close()
  const log = (await store.read('gw-1')) as unknown as Chronological
  const page = await sessionPage({ window: { context: 9_000 } })(log, { id: 'gw-1', model: 'm' })
  expect(page).toContain('id="report-data"')
  expect(page).toContain('as the gateway is set')
  expect(page).toContain('main.ts.')
  expect(page).not.toContain('Never edit </script>')
})

it.skipIf(!hasPage)(
  'the page of a gateway in another process is made by what is built',
  async () => {
    const built = (await import(pageModule())) as { sessionPage: typeof sessionPage }
    const page = await built.sessionPage({})([] as unknown as Chronological, {
      id: 'gw-1',
      model: 'm',
    })
    expect(page).toContain('id="report-data"')
  },
)
