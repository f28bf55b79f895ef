import { sanitizeLine } from '../../src/log/sanitize.ts'
import { rulesByProject, type MachineSession } from '../../src/report/machine.ts'
import { counted } from '../numbers.ts'

const mostOpen = 6

/** The rules in force, by project. */
export function Rules({ sessions }: { sessions: readonly MachineSession[] }) {
  const projects = rulesByProject(sessions)
  return (
    <section aria-labelledby="rules">
      <h2 id="rules">Your rules in force</h2>
      {projects.length === 0 && <p class="quiet">No rule was found in what you said.</p>}
      {projects.map(({ project, rules }, index) => (
        <details class="project" open={index < mostOpen}>
          <summary>
            <span class="path">{sanitizeLine(project)}</span>{' '}
            <span class="count">{counted(rules.length, 'rule')}</span>
          </summary>
          <ul>
            {rules.map((rule) => (
              <li>
                {sanitizeLine(rule.text)}
                {rule.sessions > 1 && <span class="quiet"> in {rule.sessions} sessions</span>}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}
