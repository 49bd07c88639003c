import { defineAgent, field } from "@karst/agent";
import { z } from "zod";

/** A worker class for the service tests; its methods need no model. */
export const Greeter = defineAgent({
  name: "greeter",
  version: 1,
  model: "none",
  fields: { greeted: field(z.int(), { default: 0, visibleTo: ["orchestrator"] }) },
  methods: (method) => ({
    greet: method({ input: z.object({ name: z.string() }), output: z.string() }, (self, { name }) => {
      self.state.greeted += 1;
      self.emit("greeted", { name });
      return `Hello, ${name}`;
    }),
    slow: method({ input: z.object({ ms: z.int() }), output: z.string() }, async (self, { ms }) => {
      self.emit("started", {});
      await new Promise((resolve) => setTimeout(resolve, ms));
      return "done";
    }),
  }),
  emits: { greeted: z.object({ name: z.string() }), started: z.object({}) },
});

export const models = {
  none: {
    id: "none",
    stream: () => {
      throw new TypeError("this class asks no model");
    },
  },
};
