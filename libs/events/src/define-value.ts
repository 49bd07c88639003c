/** Gives `object` an ordinary property, past any setter of that name: data from outside may be called `__proto__`. */
export function defineValue(object: object, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(object, key, { value, enumerable, writable: true, configurable: true });
}
