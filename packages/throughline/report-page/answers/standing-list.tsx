import { sanitizeLine } from '../../src/log/sanitize.ts'
import { entryHash } from '../data.ts'
import { counted } from '../numbers.ts'
import { Names } from './names.tsx'
import type { Standing } from '../../src/report/model.ts'

/** Whether rules, requests and files are in a context. */
export function StandingList({ standing: { rules, requests, files } }: { standing: Standing }) {
  const inForce = rules.filter(({ retractedBy }) => retractedBy === undefined)
  const latest = requests.at(-1)
  const earlier = requests.slice(0, -1)
  const gone = (all: readonly { in: boolean }[]): number => all.filter((each) => !each.in).length
  return (
    <div class="standing">
      <Check
        is={inForce.length === 0 ? undefined : gone(inForce) === 0}
        text={
          inForce.length === 0
            ? 'No standing rules of yours were found'
            : `${inForce.length - gone(inForce)} of ${counted(inForce.length, 'rule')} word for word`
        }
      />
      <ul class="sublist">
        {inForce.slice(-8).map((rule) => (
          <li class={rule.in ? '' : 'lost'}>
            <a href={entryHash(rule.seq)}>{sanitizeLine(rule.text)}</a>
          </li>
        ))}
      </ul>
      {latest && (
        <>
          <Check
            is={latest.in === 'whole' ? true : latest.in === 'no' ? false : undefined}
            text={
              latest.in === 'whole'
                ? 'Your latest request, word for word'
                : latest.in === 'no'
                  ? 'Your latest request is gone'
                  : 'The beginning of your latest request'
            }
          />
          <ul class="sublist">
            <li>
              <a href={entryHash(latest.seq)}>{sanitizeLine(latest.text.slice(0, 240))}</a>
            </li>
          </ul>
        </>
      )}
      {earlier.length > 0 && (
        <Check
          is={earlier.every((each) => each.in !== 'no')}
          text={`${earlier.filter((each) => each.in !== 'no').length} of ${counted(earlier.length, 'earlier request')}`}
        />
      )}
      <Check
        is={files.length === 0 ? undefined : gone(files) === 0}
        text={
          files.length === 0
            ? 'No files were changed'
            : `${files.length - gone(files)} of ${counted(files.length, 'changed file')} by name`
        }
      />
      <Names
        name="Files gone"
        all={files.filter((file) => !file.in).map(({ path, seq }) => ({ name: path, seq }))}
      />
    </div>
  )
}

function Check({ is, text }: { is: boolean | undefined; text: string }) {
  const look = is === undefined ? 'quiet' : is ? 'good' : 'bad'
  return (
    <p class={`check ${look}`}>
      <span aria-hidden="true">{is === undefined ? '–' : is ? '✓' : '✕'}</span> {text}
      <span class="unseen">{is === undefined ? '' : is ? ' (in)' : ' (not in)'}</span>
    </p>
  )
}
