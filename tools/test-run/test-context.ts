/**
 * Loaded before `node:test`: which test a line of code belongs to is kept in an AsyncLocalStorage. The runner itself
 * follows every promise through an async hook, which makes code of many promises three times as dear.
 *
 * The runner asks `executionAsyncId` for the current test, and knows a test by the id of its AsyncResource.
 */
import hooks, { AsyncLocalStorage, AsyncResource, type HookCallbacks } from 'node:async_hooks'

const { createHook, executionAsyncId } = hooks
const { runInAsyncScope } = AsyncResource.prototype
const current = new AsyncLocalStorage<number>()
let introduce: HookCallbacks['init']

hooks.createHook = ({ init }) => {
  introduce = init
  return createHook({})
}
hooks.executionAsyncId = () => current.getStore() ?? executionAsyncId()

AsyncResource.prototype.runInAsyncScope = function (body, thisArg, ...args) {
  const id = this.asyncId()
  introduce?.(id, this.constructor.name, 0, this)
  return runInAsyncScope.call(this, () =>
    current.run(id, () => Reflect.apply(body, thisArg, args) as unknown),
  ) as ReturnType<typeof body>
}
