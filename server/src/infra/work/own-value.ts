export type OwnValue<Owner extends object, Value> = Readonly<{
  get(owner: Owner): Value | undefined
  set(owner: Owner, value: Value): void
}>

/**
 * A value kept on a request or reply under a symbol. In a WeakMap it would live longer: V8's collector of young objects
 * treats all values of such a map as live, and copies them.
 */
export function ownValue<Owner extends object, Value>(name: string): OwnValue<Owner, Value> {
  const key = Symbol(name)
  type Keeping = Owner & { [key]?: Value }
  return {
    get: (owner: Keeping) => owner[key],
    set: (owner: Keeping, value) => {
      owner[key] = value
    },
  }
}
