import type { SessionPage, GatewaySettings } from './gateway-package.ts'
import { reportOf } from '../../report/report-of.ts'
import { usualWindow, type WindowChoice } from '../sizes/window-choice.ts'
import { windowOf } from '../../tokens/windows.ts'
import { pageAsset, pageWith } from '../commands/report/page.ts'

/** Pages against the window that the gateway was given, or the model’s own. */
export function sessionPage({ window }: Pick<GatewaySettings, 'window'>): SessionPage {
  return async (log, { id, model }) => {
    const { window: measured, from } = windowAt(window, model)
    const reported = { log, facts: { model }, name: id, format: 'a gateway’s session', skipped: 0 }
    const report = await reportOf(reported, { window: measured, windowFrom: from, model })
    // Nothing can be typed here: its commands need the gateway's own store.
    return pageWith(await pageAsset(), { model: report, toDo: [] })
  }
}

function windowAt(window: GatewaySettings['window'], model: string): WindowChoice {
  if (window) return { window, from: 'as the gateway is set' }
  const known = windowOf(model)
  return known ? { window: known, from: `the window of ${model}` } : usualWindow
}
