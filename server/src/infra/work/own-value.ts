export type OwnValue<Owner extends object, Value> = Readonly<{
  get(owner: Owner): Value | undefined
  set(owner: Owner, value: Value): void
}>

/**
 * What belongs to one request or reply, kept on that object. In a WeakMap it would outlive it: V8's collector of young
 * objects takes all values of such a map for live, and copies them.
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
