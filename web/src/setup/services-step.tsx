import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { useRef } from 'react';
import { call } from '../api/call';
import { giveServices } from '../business/employ';
import { businessQuery, employeesQuery } from '../business/queries';
import { CatalogueService, type Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { servicePages } from '../services/queries';
import { useServices } from '../services/use-services';
import { useKeptValues } from '../session/use-draft';
import { minutesText } from '../time/zoned';
import { Button } from '../ui/button';
import { CheckField } from '../ui/check-field';
import { Choice } from '../ui/choice';
import { TextControl } from '../ui/field';
import { currencySymbol, minorOf, moneyText } from '../ui/money';
import { RowsSkeleton } from '../ui/skeleton';
import { Note, Refusal } from '../ui/states';
import { Figures, Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import type { StepProps } from './step-props';
import { minutesOf, type SuggestedService, serviceOf, TEMPLATES, type Template } from './templates';
import { WayOn } from './way-on';

/** What the salon sells, begun from what others of its kind sell. */
export function ServicesStep({ businessId, onDone }: StepProps) {
  const query = useServices(businessId);
  const team = useQuery(employeesQuery(businessId));
  const skeleton = <RowsSkeleton rows={5} label="Loading services" />;
  return (
    // New services are given to the whole team, which has to be known.
    <Reading query={team} what="The team" skeleton={skeleton}>
      {({ employees }) => (
        <Reading query={query} what="The services" skeleton={skeleton}>
          {({ pages }) => {
            const services = pages.flatMap((page) => page.services);
            const parts = { businessId, services, employees };
            return (
              <Stack gap="5">
                {services.length > 0 && <Existing {...parts} />}
                <FromTemplate {...parts} />
                <WayOn done={services.length > 0} onDone={onDone} />
              </Stack>
            );
          }}
        </Reading>
      )}
    </Reading>
  );
}

type ServicesProps = { businessId: string; services: Service[]; employees: Employee[] };

function Existing({ businessId, services, employees }: ServicesProps) {
  const queries = useQueryClient();
  const idle = services.filter(({ employeeIds }) => employeeIds.length === 0);
  const assign = useMutation({
    mutationFn: async () => {
      for (const employee of employees) {
        const { pages } = await queries.fetchInfiniteQuery({ ...servicePages(businessId), staleTime: 0 });
        const ids = new Set(idle.map(({ id }) => id));
        const now = pages.flatMap((page) => page.services).filter(({ id }) => ids.has(id));
        await giveServices(businessId, employee, now);
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: servicePages(businessId).queryKey }),
    onError: (error) => toasts.show('bad', messageOf(error, 'Not every service could be given.')),
  });
  return (
    <Stack gap="3">
      <Text>
        {services.length === 1 ? 'There is 1 service' : `There are ${services.length} services`}. Change them
        under <TextLink to={paths.services(businessId)}>Services</TextLink>.
      </Text>
      <Flex as="ul" aria-label="Services" listStyleType="none" gap="2" wrap="wrap">
        {services.map(({ id, name, priceMinor, currency }) => (
          <Box as="li" key={id} px="3" py="1.5" borderRadius="full" bg="bg.sunken" fontSize="0.9375rem">
            {name} <Figures color="fg.muted">{moneyText(priceMinor, currency)}</Figures>
          </Box>
        ))}
      </Flex>
      {idle.length > 0 && (
        <Note
          tone="warn"
          icon={Info}
          action={
            employees.length > 0 && (
              <Button loading={assign.isPending} onClick={() => assign.mutate()}>
                Give them to everyone
              </Button>
            )
          }
        >
          {idle.length === 1 ? '1 service is' : `${idle.length} services are`} done by no employee and cannot
          be booked.
        </Note>
      )}
    </Stack>
  );
}

/** What was changed about the suggestions: which of them are not wanted, and what others cost. */
type Suggestions = { chosen: Template['key']; left: string[]; prices: [name: string, price: string][] };

const without = (prices: Suggestions['prices'], names: readonly string[]) =>
  prices.filter(([name]) => !names.includes(name));

function FromTemplate({ businessId, services, employees }: ServicesProps) {
  const queries = useQueryClient();
  const usual = useQuery(businessQuery(businessId)).data?.business?.currency;
  const currency = services[0]?.currency || usual || 'GBP';
  const [{ chosen, left, prices }, change] = useKeptValues<Suggestions>(
    `suggested services of ${businessId}`,
    { chosen: 'hair', left: [], prices: [] },
    { overReload: true },
  );
  const template = TEMPLATES.find(({ key }) => key === chosen);
  const there = new Set(services.map(({ name }) => name.toLowerCase()));
  const offered = template?.services.filter(({ name }) => !there.has(name.toLowerCase())) ?? [];
  const wanted = offered.filter(({ name }) => !left.includes(name));
  const priceOf = ({ name, price }: SuggestedService) => new Map(prices).get(name) ?? String(price);
  const wrong = wanted.filter((service) => minorOf(priceOf(service), currency) === undefined);
  // The second click of a double click comes before the button shows that it runs.
  const adding = useRef(false);
  const create = useMutation({
    // One after the other: what was made before a failure stays, and is not offered again.
    mutationFn: async () => {
      for (const service of wanted) {
        const price = { minor: minorOf(priceOf(service), currency) ?? 0, currency };
        const made = serviceOf(
          service,
          price,
          employees.map(({ id }) => id),
        );
        await call(CatalogueService.method.createService, { businessId, service: made });
      }
      return wanted.map(({ name }) => name);
    },
    onSuccess: (added) => {
      change((before) => ({ ...before, prices: without(before.prices, added) }));
      toasts.show('good', added.length === 1 ? '1 service is added.' : `${added.length} services are added.`);
    },
    onSettled: () => {
      adding.current = false;
      return queries.invalidateQueries({ queryKey: servicePages(businessId).queryKey });
    },
  });
  const add = () => {
    if (adding.current) return;
    adding.current = true;
    create.mutate();
  };
  return (
    <Stack gap="4">
      <Choice
        legend={
          services.length > 0 ? 'Add more of the usual services of a' : 'Start with the usual services of a'
        }
        value={chosen}
        options={TEMPLATES.map((one) => [one.key, one.name] as const)}
        onChange={(key) => change((before) => ({ ...before, chosen: key }))}
      />
      {offered.length === 0 ? (
        <Muted>This salon has all of these.</Muted>
      ) : (
        <Stack as="ul" aria-label="Suggested services" gap="0" listStyleType="none">
          {offered.map((service) => (
            <Grid
              as="li"
              key={service.name}
              gridTemplateColumns="minmax(0, 1fr) auto"
              alignItems="center"
              gap="3"
              py="1"
              borderTop="1px solid"
              borderColor="line"
            >
              <CheckField
                label={
                  <>
                    {service.name} <Muted as="span">{minutesText(minutesOf(service))}</Muted>
                  </>
                }
                checked={!left.includes(service.name)}
                onChange={({ target: { checked } }) =>
                  change((before) => ({
                    ...before,
                    left: [
                      ...before.left.filter((name) => name !== service.name),
                      ...(checked ? [] : [service.name]),
                    ],
                  }))
                }
              />
              <Flex align="center" gap="2">
                <Muted as="span" aria-hidden>
                  {currencySymbol(currency)}
                </Muted>
                <TextControl
                  aria-label={`Price of ${service.name} (${currency})`}
                  inputMode="decimal"
                  autoComplete="off"
                  width="6rem"
                  minHeight="11"
                  textAlign="end"
                  aria-invalid={wrong.includes(service) || undefined}
                  value={priceOf(service)}
                  onChange={({ target }) =>
                    change((before) => ({
                      ...before,
                      prices: [...without(before.prices, [service.name]), [service.name, target.value]],
                    }))
                  }
                />
              </Flex>
            </Grid>
          ))}
        </Stack>
      )}
      {offered.length > 0 && (
        <Muted>
          Prices and lengths are suggestions.{' '}
          {employees.length > 0
            ? 'Every employee does them at first.'
            : 'Once there are employees, say here who does them.'}
        </Muted>
      )}
      <Refusal>
        {wrong.length > 0
          ? `The price of ${wrong[0]?.name} must be an amount in ${currency}.`
          : create.error && messageOf(create.error, 'Not every service could be added.')}
      </Refusal>
      {offered.length > 0 && (
        <Flex>
          <Button
            variant={services.length > 0 ? 'tinted' : 'contained'}
            minHeight="12"
            loading={create.isPending}
            disabled={wanted.length === 0 || wrong.length > 0}
            onClick={add}
          >
            {wanted.length === 1 ? 'Add 1 service' : `Add ${wanted.length} services`}
          </Button>
        </Flex>
      )}
    </Stack>
  );
}
