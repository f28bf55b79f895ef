import { storedFacts } from '../../formats/stored/stored-facts.ts'
import { pluginsOf, policyOf, templateOf } from '../../config/policy-of.ts'
import { openSession, type Session } from '../../session/session.ts'
import { frameOf } from '../session-frame.ts'
import { chooseWindow } from '../window-choice.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { Store, StoredSession } from '../../session/store.ts'

/** Opens a stored session with all that its import noted and the configuration says. */
export async function openStored(
  store: Store,
  { id, newest }: Pick<StoredSession, 'id' | 'newest'>,
  configuration: Configuration,
): Promise<Session> {
  const facts = await storedFacts(store, { id, newest })
  const template = templateOf(configuration)
  return openSession({
    store,
    id,
    ...frameOf(facts),
    window: chooseWindow(undefined, facts, configuration).window,
    policy: policyOf(configuration, facts.model),
    plugins: pluginsOf(configuration),
    ...(template && { template }),
  })
}
