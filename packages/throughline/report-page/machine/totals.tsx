import { sanitizeLine } from '../../src/log/sanitize.ts'
import {
  compactionsOf,
  groupsOf,
  kindsOf,
  projectOf,
  tokensOf,
  type MachineSession,
  type SessionGroup,
} from '../../src/report/machine.ts'
import { KindShares } from '../kind-shares.tsx'
import { counted, dollars, percent, short } from '../numbers.ts'

type Sessions = readonly MachineSession[]

/** Where tokens and money went. */
export function Totals({ sessions }: { sessions: Sessions }) {
  return (
    <section class="answers" id="money" aria-label="Where tokens and money went">
      <MoneyCard sessions={sessions} />
      <GroupCard name="By project" groups={groupsOf(sessions, projectOf)} path />
      <GroupCard name="By model" groups={groupsOf(sessions, modelOf)} />
      <GroupCard name="By client" groups={groupsOf(sessions, ({ client }) => client)} />
    </section>
  )
}

function modelOf({ model }: MachineSession): string {
  return model ?? 'no model recorded'
}

function MoneyCard({ sessions }: { sessions: Sessions }) {
  const sum = (sizeOf: (session: MachineSession) => number): number =>
    sessions.reduce((total, session) => total + sizeOf(session), 0)
  const cost = sum((session) => session.dollars ?? 0)
  const cached = sum(({ sent }) => sent.cacheRead)
  const output = sum(({ sent }) => sent.output)
  const all = sum(tokensOf)
  const unpriced = sum((session) => session.unpriced)
  const held = kindsOf(sessions.filter((session) => session.dollars !== null))
  return (
    <article class="card">
      <h2>All together</h2>
      <p class="figure">
        {dollars(cost)}
        <small>
          {short(all)} tokens in{' '}
          {counted(
            sum(({ requests }) => requests),
            'request',
          )}
          ; {percent(cached, all - output)} of what was sent came from the cache;{' '}
          {counted(compactionsOf(sessions).length, 'compaction')}
          {unpriced > 0 ? `; ${counted(unpriced, 'request')} without a known price` : ''}
        </small>
      </p>
      <KindShares of={held} text={dollars} least={0} />
    </article>
  )
}

// Projects are known by the end of their paths.
function endOf(path: string): string {
  return path.split(/[\\/]/).slice(-2).join('/')
}

const mostShown = 8

function GroupCard(props: { name: string; groups: readonly SessionGroup[]; path?: boolean }) {
  const { name, groups, path = false } = props
  const rows = (some: readonly SessionGroup[]) => (
    <ul class="shares">
      {some.map((group) => (
        <li>
          <span title={sanitizeLine(group.name)}>
            {sanitizeLine(path ? endOf(group.name) : group.name)}
          </span>
          <b>{dollars(group.dollars)}</b>
          <em>{short(group.tokens)}</em>
        </li>
      ))}
    </ul>
  )
  const more = groups.slice(mostShown)
  return (
    <article class="card">
      <h2>{name}</h2>
      {rows(groups.slice(0, mostShown))}
      {more.length > 0 && (
        <details>
          <summary>{more.length} more</summary>
          {rows(more)}
        </details>
      )}
    </article>
  )
}
