import type { Store } from '../../session/store.ts'

/** Makes a store that holds nothing. */
export type CreateStore = () => Store | Promise<Store>

/** One promise of the store port; `run` rejects where a store does not keep it. */
export interface StoreCase {
  name: string
  run: (createStore: CreateStore) => Promise<void>
}
