import { Flex, Grid } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { useSending } from '../api/action';
import { methodKey } from '../api/query';
import { refuseFields } from '../api/refuse-fields';
import { AddressField, CurrencyField, NameField, PhoneField } from '../details/business-fields';
import { businessFields, currencyOfZone, fieldOf } from '../details/business-values';
import { ZoneField } from '../details/zone-field';
import { type Business, BusinessService } from '../gen/frontdesk/tenancy/v1/business_pb';
import { LeaveGuard } from '../layout/leave-guard';
import { ButtonLink, TextLink } from '../layout/links';
import { paths } from '../paths';
import { useKeptForm } from '../session/use-draft';
import { viewerZone } from '../time/zoned';
import { Button } from '../ui/button';
import { Fact, Facts } from '../ui/facts';
import { phoneText } from '../ui/phone';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';

/** What a business is created with: the rest of its details is said later. */
const fields = z.extend(z.pick(businessFields, { name: true, address: true, phone: true, currency: true }), {
  timeZone: z.string().check(z.minLength(1, 'Choose where it is.')),
});

type Values = z.infer<typeof fields>;

/** The server's name of a field as the form's. */
function fieldNamed(named: string): keyof Values | undefined {
  const field = named === 'time_zone' ? 'timeZone' : fieldOf(named);
  return field && field in fields.shape ? (field as keyof Values) : undefined;
}

type DetailsStepProps = { business: Business | undefined; onDone: (businessId: string) => void };

/** What the new business is called and where it is; once it exists, where that is changed. */
export function DetailsStep({ business, onDone }: DetailsStepProps) {
  return business ? (
    <Created business={business} onDone={() => onDone(business.id)} />
  ) : (
    <Create onDone={onDone} />
  );
}

function Created({ business, onDone }: { business: Business; onDone: () => void }) {
  const { id, name, address, phone, timeZone, currency } = business;
  return (
    <>
      <Facts>
        <Fact name="Name">{name}</Fact>
        <Fact name="Address" long>
          {address || 'Not given'}
        </Fact>
        <Fact name="Phone">{phone ? phoneText(phone) : 'Not given'}</Fact>
        <Fact name="Time zone">{timeZone}</Fact>
        <Fact name="Currency">{currency || 'Not chosen'}</Fact>
      </Facts>
      <Text>
        These and its e-mail, website and colour are changed on{' '}
        <TextLink to={paths.details(id)}>its details</TextLink>.
      </Text>
      <Flex>
        <Button variant="contained" onClick={onDone}>
          Go on
        </Button>
      </Flex>
    </>
  );
}

function Create({ onDone }: { onDone: (businessId: string) => void }) {
  const queries = useQueryClient();
  const form = useForm<Values>({
    resolver: zodResolver(fields),
    defaultValues: {
      name: '',
      address: '',
      phone: '',
      timeZone: viewerZone(),
      currency: currencyOfZone(viewerZone()),
    },
  });
  useKeptForm('new business', form, { overReload: true });
  const { errors, isSubmitting, isDirty, dirtyFields } = form.formState;
  const leaving = useRef(false);
  const zone = form.register('timeZone', {
    // Until it is chosen, the currency follows the place.
    onChange: ({ target: { value } }) => {
      const currency = currencyOfZone(String(value));
      if (currency && !dirtyFields.currency) form.setValue('currency', currency);
    },
  });

  const send = useSending(BusinessService.method.createBusiness);
  const create = form.handleSubmit(async (values) => {
    try {
      const { business } = await send(values);
      if (!business) return;
      void queries.invalidateQueries({ queryKey: [methodKey(BusinessService.method.listBusinesses)] });
      toasts.show('good', `${business.name} is created.`);
      leaving.current = true;
      onDone(business.id);
    } catch (error) {
      refuseFields(form, error, fieldNamed, 'The business could not be created.');
    }
  });

  return (
    <>
      <form noValidate onSubmit={(event) => void create(event)}>
        <Grid gap="4">
          <NameField autoFocus error={errors.name?.message} {...form.register('name')} />
          <AddressField error={errors.address?.message} {...form.register('address')} />
          <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} alignItems="start">
            <PhoneField error={errors.phone?.message} {...form.register('phone')} />
            <CurrencyField
              hint="New services are priced in it."
              error={errors.currency?.message}
              {...form.register('currency')}
            />
          </Grid>
          <ZoneField error={errors.timeZone?.message} {...zone} />
          <Refusal>{errors.root?.message}</Refusal>
          <Flex gap="3" wrap="wrap">
            <Button type="submit" variant="contained" loading={isSubmitting}>
              Create business
            </Button>
            <ButtonLink
              to={paths.adminBusinesses}
              minHeight="12"
              onClick={() => {
                leaving.current = true;
              }}
            >
              Cancel
            </ButtonLink>
          </Flex>
        </Grid>
      </form>
      {isDirty && <LeaveGuard leaving={leaving} />}
    </>
  );
}
