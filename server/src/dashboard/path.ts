/** The paths that a row has: names of its fields, and of fields inside them, through what is optional and what is one of several. */

/** The fields of every member of a union. */
export type Name<T> = T extends unknown ? keyof T & string : never

type At<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never
type Inside<T> = T extends readonly unknown[] ? never : T extends object ? T : never

type Deeper<T> = {
  [K in Name<T>]:
    | [K]
    | (unknown extends At<T, K>
        ? [K, ...string[]]
        : [Inside<At<T, K>>] extends [never]
          ? never
          : [K, ...Deeper<Inside<At<T, K>>>])
}[Name<T>]

/** Empty, it is the row itself. */
export type Path<T> = [] | Deeper<Inside<T>>
