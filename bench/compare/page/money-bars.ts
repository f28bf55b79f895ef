import { percent } from '../../fidelity/goals.ts'
import { askedIn } from '../asked.ts'
import { moneyOf } from '../money.ts'
import { classOf } from './curve.ts'
import { element, linear } from './svg.ts'
import type { Figures } from '../figures.ts'

const width = 960
const left = 330
const right = width - 250
const row = 26

/** What all sessions cost under each policy: the requests, followed by the summaries. */
export function moneyBarsOf(figures: Figures): string {
  const all = askedIn(figures).filter(({ lives }) => lives.length > 0)
  const money = all.map(moneyOf)
  const most = Math.max(...money.map(({ dollars }) => dollars), 0.01)
  const x = linear([0, most], [left, right])
  const bars = money.map((one, at) => {
    const { name, dollars, summaries, forwardNeed, compactions, stopped } = one
    const y = at * row + 4
    const className = classOf(all[at] ?? { id: '' })
    const need = compactions === 0 ? '' : `, forward need ${percent(forwardNeed)}`
    const end = stopped === 0 ? '' : `, ${stopped} did not fit`
    const requests = x(dollars - summaries) - left
    return element('g', {}, [
      element('text', { x: left - 10, y: y + 14, class: 'label end' }, shortened(name)),
      element('rect', { x: left, y, width: requests, height: row - 8, class: `bar ${className}` }),
      element('rect', {
        x: left + requests,
        y,
        width: x(dollars) - left - requests,
        height: row - 8,
        class: `bar summaries ${className}`,
      }),
      element(
        'text',
        { x: x(dollars) + 8, y: y + 14, class: 'tick' },
        `$${dollars.toFixed(2)}${need}${end}`,
      ),
    ])
  })
  const label = 'Money for all sessions, per policy'
  const viewBox = `0 0 ${width} ${money.length * row + 6}`
  return (
    element('div', { class: 'chart' }, [
      element('svg', { viewBox, role: 'img', 'aria-label': label }, bars),
    ]) + element('p', { class: 'note' }, 'The paler end of a bar is what its summaries cost.')
  )
}

function shortened(name: string): string {
  return name.length > 46 ? `${name.slice(0, 45)}…` : name
}
